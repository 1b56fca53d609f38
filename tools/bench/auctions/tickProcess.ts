import { createTickRunner } from './tickRunner.ts'

/** A process that only ticks, so that its CPU time and heap are those of the ticks: one tick per message. */
const runner = createTickRunner(JSON.parse(process.argv[2] ?? ''))
process.on('message', async () => {
  process.send?.(await runner.tick())
})
