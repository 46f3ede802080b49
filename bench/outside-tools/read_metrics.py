from prometheus_client.parser import text_string_to_metric_families

from kcs import URL, call

text = call(URL + "/metrics")
families = list(text_string_to_metric_families(text))
totals = [line.split()[2:] for line in text.splitlines() if line.startswith("# TYPE ") and "_total " in line]
assert totals and all(kind == "counter" for _, kind in totals), totals
assert all(family.documentation for family in families)
assert all(family.type != "unknown" for family in families)
samples = sum(len(family.samples) for family in families)
print(f"{len(families)} metrics with {samples} samples; {len(totals)} end in _total, all counters")
