import { expect, test } from 'vitest'
import type { Report } from '#tools/bench/figure.ts'
import { benchSoak } from '#tools/bench/soak/benchSoak.ts'

/** Only in the long run (`LONG=1`). */
test.runIf(process.env.LONG)(
  'a minute of orders, quotes, reads and streams together without a failed request',
  async () => {
    const reports: Report[] = []
    await benchSoak({ minutes: 1, rate: 10 }, (report) => reports.push(report))
    expect(reports).toHaveLength(1)
    expect(reports[0]?.over.filter((line) => line.endsWith('times'))).toEqual([])
  },
  600_000,
)
