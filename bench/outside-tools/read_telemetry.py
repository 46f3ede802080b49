import base64
import json
import os
import time

from google.protobuf import json_format
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from kcs import PROJECT, call

REQUESTS = {"/v1/traces": ExportTraceServiceRequest, "/v1/metrics": ExportMetricsServiceRequest}


def with_bytes(value):
    """OTLP has ids in hex where protobuf's JSON has base64."""
    if isinstance(value, list):
        return [with_bytes(item) for item in value]
    if not isinstance(value, dict):
        return value
    ids = ("traceId", "spanId", "parentSpanId")
    return {
        name: base64.b64encode(bytes.fromhex(item)).decode() if name in ids else with_bytes(item)
        for name, item in value.items()
    }


def received():
    with open(os.environ["KCS_TELEMETRY"], encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


call(PROJECT + "/query", {"query": "Who founded the company?"})
for _ in range(100):
    if {line["path"] for line in received()} == set(REQUESTS):
        break
    time.sleep(1)
spans, metrics = [], set()
for line in received():
    # Strict: a member that the message does not have is an error.
    request = json_format.ParseDict(with_bytes(line["body"]), REQUESTS[line["path"]]())
    for resource in getattr(request, "resource_spans", []):
        spans += [span for scope in resource.scope_spans for span in scope.spans]
    for resource in getattr(request, "resource_metrics", []):
        for metric in (metric for scope in resource.scope_metrics for metric in scope.metrics):
            assert metric.WhichOneof("data") in ("sum", "gauge", "histogram"), metric
            for point in metric.histogram.data_points:
                assert len(point.bucket_counts) == len(point.explicit_bounds) + 1, metric
                assert sum(point.bucket_counts) == point.count, metric
            metrics.add(metric.name)
assert all(len(span.trace_id) == 16 and len(span.span_id) == 8 for span in spans)
assert all(span.start_time_unix_nano <= span.end_time_unix_nano for span in spans)
by_id = {(span.trace_id, span.span_id) for span in spans}
orphans = [span.name for span in spans if span.parent_span_id and (span.trace_id, span.parent_span_id) not in by_id]
assert spans and metrics and not orphans, orphans
traces = len({span.trace_id for span in spans})
print(f"{len(spans)} spans of {traces} traces, each below one that was sent; {len(metrics)} metrics, histograms that add up")
