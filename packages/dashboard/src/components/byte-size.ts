const units = ["B", "kB", "MB", "GB", "TB"] as const;

/** Formats a size as "1.4 MB", with powers of 1,000 and at least two significant digits. */
export function byteSize(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${step === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} ${units[step]}`;
}
