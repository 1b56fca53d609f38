import type { DatabaseGrowth } from './findGrowth.ts'
import { type DoctorFinding, limited, ok, wrong } from './finding.ts'

/** Tables that the report lists: the largest, without small ones. */
const listedTables = 5
const listedBytes = 100e6
/** Days until the limit is reached, below which the report warns, and below which it fails. */
const warnedDays = 90
const failedDays = 14

const remedy =
  'choose a larger plan of the database, or move old rows away: docs/operations.md, "Growth of the database"'

/** The growth of a database, the days until its limit, and its largest tables. */
export const checkGrowth = (name: string, growth: DatabaseGrowth, limitBytes: number | null): DoctorFinding[] => {
  const { bytes, bytesPerDay } = growth
  const size = `${formatBytes(bytes)}, ${formatBytes(bytesPerDay)} a day`
  const label = `${name}, growth`
  const tables = growth.tables
    .filter((table) => table.bytes >= listedBytes)
    .slice(0, listedTables)
    .map((table) =>
      ok(`${label} of ${table.name}`, `${formatBytes(table.bytes)}, ${formatBytes(table.bytesPerDay)} a day`),
    )
  return [checkLimit(label, size, { bytes, bytesPerDay, limitBytes }), ...tables]
}

const checkLimit = (
  label: string,
  size: string,
  { bytes, bytesPerDay, limitBytes }: { bytes: number; bytesPerDay: number; limitBytes: number | null },
): DoctorFinding => {
  if (limitBytes === null) return ok(label, size)
  const days = bytes >= limitBytes ? 0 : (limitBytes - bytes) / bytesPerDay
  const detail = Number.isFinite(days)
    ? `${size}; the limit of ${formatBytes(limitBytes)} is ${Math.floor(days).toLocaleString('en')} days away`
    : `${size}; the limit is ${formatBytes(limitBytes)}`
  if (days < failedDays) return wrong(label, detail, remedy)
  return days < warnedDays ? limited(label, detail, remedy) : ok(label, detail)
}

const units = ['B', 'kB', 'MB', 'GB', 'TB']

/** Bytes in units of a thousand, rounded to two digits below ten of a unit. */
const formatBytes = (bytes: number): string => {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  const value = bytes / 1_000 ** power
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power]}`
}
