import { expect, test } from 'vitest'
import { readProcessUsage } from './readProcessUsage.ts'

test.runIf(process.platform === 'linux')(
  'reads CPU time that grows with work, and the memory of the process',
  async () => {
    const before = await readProcessUsage(process.pid)
    const until = process.cpuUsage().user + 100_000
    while (process.cpuUsage().user < until);
    const after = await readProcessUsage(process.pid)
    expect(after.cpuMs - before.cpuMs).toBeGreaterThan(90)
    expect(after.memoryBytes).toBeGreaterThan(10 * 2 ** 20)
  },
)

test('rejects an unknown process', async () => {
  await expect(readProcessUsage(2 ** 30)).rejects.toThrow('process 1073741824 cannot be measured')
})
