import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readWorkerConfigs } from '../workers/readWorkerConfigs.ts'
import { buildPlatformPlan } from './buildPlatformPlan.ts'

const bases = await readWorkerConfigs(join(import.meta.dirname, '../..'))

test('every queue has its consumer and the limits of wrangler.toml, every cron its Worker', () => {
  const { queues, crons } = buildPlatformPlan(Object.values(bases))
  expect(queues['edgebook-deliveries']).toEqual({
    consumer: 'edgebook-notifier',
    batchSize: 25,
    waitSeconds: 0,
    retries: 5,
    delaySeconds: 10,
    deadLetters: 'edgebook-deliveries-dead',
  })
  expect(queues['edgebook-deliveries-dead']).toMatchObject({ consumer: 'edgebook-notifier', waitSeconds: 30 })
  expect(crons.toSorted()).toEqual(['edgebook-auctions', 'edgebook-markets', 'edgebook-notifier'])
})

test('a cron at other times is refused', () => {
  const worker = { name: 'one', main: 'one.js', triggers: { crons: ['0 * * * *'] } }
  expect(() => buildPlatformPlan([worker])).toThrow('one: the cron 0 * * * * is not run')
})
