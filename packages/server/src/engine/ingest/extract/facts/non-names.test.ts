import assert from "node:assert/strict";
import { test } from "node:test";
import { isAmountOrContraction, isHeadingInCapitals } from "./non-names.ts";

test("amounts and years of an era are no names", () => {
  for (const amount of ["40 Wh", "9 pC", "EUR 390", "AD 780", "12.5 kg", "I'll", "Can't"])
    assert.ok(isAmountOrContraction(amount), amount);
  for (const name of ["Apollo 11", "7 Eleven", "ABC 12", "Plaza 4", "3 Com Park", "O'Hara"])
    assert.ok(!isAmountOrContraction(name), name);
});

test("a line of capitals is a heading, unless it is a firm or there is more in the line", () => {
  const isHeading = (text: string, name: string) => {
    const start = text.indexOf(name);
    return isHeadingInCapitals(text, { start, end: start + name.length });
  };
  assert.ok(isHeading("Call us.\n\nCUSTOMER SERVICE\nBox 12", "CUSTOMER SERVICE"));
  assert.ok(isHeading("## 3. STEERING GROUP", "STEERING GROUP"));
  assert.ok(!isHeading("TARN HOLDINGS LTD\nMinutes", "TARN HOLDINGS LTD"));
  assert.ok(!isHeading("The film THE LONG DRAIN was shown.", "THE LONG DRAIN"));
  assert.ok(!isHeading("Steering group\nMinutes", "Steering group"));
  assert.ok(!isHeading("TARN\nMinutes", "TARN"));
});
