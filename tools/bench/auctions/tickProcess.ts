import { createTickRunner } from './tickRunner.ts'

/** A process that does nothing but ticks, so that its CPU time and its heap are theirs: one tick for each message. */
const runner = createTickRunner(JSON.parse(process.argv[2] ?? ''))
process.on('message', async () => {
  process.send?.(await runner.tick())
})
