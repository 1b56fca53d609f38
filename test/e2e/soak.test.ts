import { expect, test } from 'vitest'
import { benchSoak } from '#tools/bench/soak/benchSoak.ts'

/** Only in the long run (`LONG=1`). */
test.runIf(process.env.LONG)(
  'a minute of orders, quotes, reads and streams together without a failed request',
  async () => {
    const reports: { figures: unknown }[] = []
    await benchSoak({ minutes: 1, rate: 10 }, (report) => reports.push(report))
    expect(reports).toMatchObject([{ figures: { failures: [] } }])
  },
  600_000,
)
