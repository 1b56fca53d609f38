import { afterAll, beforeEach, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { alerts } from '../../tables/alarms/alerts.ts'
import { deleteOldAlerts, markAlertFailed, markAlertSent, takeDueAlerts } from './alertOutbox.ts'
import { type AlarmUpdate, type CrossedLimit, recordAlarms } from './recordAlarms.ts'

const { chainId } = networks.sepolia
const day = 86_400
const { database, close } = await startTestDatabase()
afterAll(close)
beforeEach(() => emptyDatabase(database))

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000)
const lag: CrossedLimit = { key: 'lagBlocks', value: '9 blocks', lastsSeconds: 120 }
const fault: CrossedLimit = { key: 'solverFault/0x01', value: 'funds', lastsSeconds: 0 }
const record = (seconds: number, crossed: CrossedLimit[], changes: Partial<AlarmUpdate> = {}) =>
  recordAlarms(database, {
    ...{ chainId, crossed, channels: ['webhook'], reminderSeconds: day, now: at(seconds) },
    ...changes,
  })
const listAlerts = async () =>
  (await database.select().from(alerts).orderBy(alerts.id)).map(({ key, kind, channel, value }) =>
    [key, kind, channel, value].join(' '),
  )

test('an alarm is raised when its duration has passed, once', async () => {
  expect(await record(0, [lag])).toBe(0)
  expect(await record(119, [lag])).toBe(0)
  expect(await record(120, [{ ...lag, value: '30 blocks' }])).toBe(1)
  expect(await record(180, [lag])).toBe(0)
  expect(await listAlerts()).toEqual(['lagBlocks raised webhook 30 blocks'])
})

test('a rule without a duration is raised immediately, for every channel', async () => {
  expect(await record(0, [fault], { channels: ['webhook', 'email'] })).toBe(2)
  expect(await listAlerts()).toEqual(['solverFault/0x01 raised email funds', 'solverFault/0x01 raised webhook funds'])
})

test('a lasting alarm has a reminder each day, and a resolved alert at its end', async () => {
  await record(0, [fault])
  expect(await record(day - 1, [fault])).toBe(0)
  expect(await record(day, [fault])).toBe(1)
  expect(await record(day + 60, [fault])).toBe(0)
  expect(await record(2 * day, [fault])).toBe(1)
  expect(await record(2 * day + 60, [])).toBe(1)
  expect(await record(2 * day + 120, [])).toBe(0)
  const kinds = (await listAlerts()).map((line) => line.split(' ')[1])
  expect(kinds).toEqual(['raised', 'reminder', 'reminder', 'resolved'])
})

test('a crossing that ends within its duration has no alert, and the next one counts from its own start', async () => {
  await record(0, [lag])
  expect(await record(60, [])).toBe(0)
  expect(await record(90, [lag])).toBe(0)
  expect(await record(150, [lag])).toBe(0)
  expect(await record(210, [lag])).toBe(1)
})

test('alarms of other networks and solvers are separate', async () => {
  await record(0, [fault])
  expect(await record(0, [fault], { chainId: networks.mainnet.chainId })).toBe(1)
  expect(await record(60, [fault, { ...fault, key: 'solverFault/0x02' }])).toBe(1)
  expect(await record(120, [], { chainId: networks.mainnet.chainId })).toBe(1)
  expect((await listAlerts()).at(-1)).toBe('solverFault/0x01 resolved webhook ')
})

test('concurrent runs write each alert once', async () => {
  const runs = (seconds: number, crossed: CrossedLimit[]) =>
    Promise.all(Array.from({ length: 8 }, () => record(seconds, crossed)))
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)
  expect(sum(await runs(0, [lag, fault]))).toBe(1)
  expect(sum(await runs(120, [lag, fault]))).toBe(1)
  expect(sum(await runs(day, [lag, fault]))).toBe(1)
  expect(sum(await runs(2 * day + 120, []))).toBe(2)
})

test('an alert is taken by one run, and again after its lease unless it was sent', async () => {
  await record(0, [fault])
  const take = (seconds: number) => takeDueAlerts(database, { limit: 10, leaseMs: 60_000, now: at(seconds) })
  const [first] = await take(0)
  expect(first).toMatchObject({ key: fault.key, attempts: 1 })
  expect(await take(59)).toEqual([])
  const [second] = await take(60)
  expect(second).toMatchObject({ id: first?.id, attempts: 2 })
  const { id = 0 } = first ?? {}
  // the outcome of the lost attempt changes nothing
  await markAlertFailed(database, { id, attempts: 1 }, 'late', at(0))
  expect(await take(60)).toEqual([])
  await markAlertFailed(database, { id, attempts: 2 }, 'responded with 500', at(90))
  expect(await take(90)).toMatchObject([{ failure: 'responded with 500', attempts: 3 }])
  await markAlertSent(database, id, at(91))
  expect(await take(day)).toEqual([])
})

measureRows(recordAlarms, (database, h) =>
  recordAlarms(database, {
    chainId: h.chainId,
    crossed: [{ key: 'indexerLag', value: '9 blocks', lastsSeconds: 0 }],
    channels: ['webhook', 'email'],
    reminderSeconds: 86_400,
    now: new Date(),
  }),
)
measureRows(deleteOldAlerts, (database) => deleteOldAlerts(database, new Date()), { acrossNetworks: true })
measureRows(markAlertFailed, (database) => markAlertFailed(database, { id: 1, attempts: 1 }, 'refused', new Date()), {
  byId: true,
})
measureRows(markAlertSent, (database) => markAlertSent(database, 1, new Date()), { byId: true })
measureRows(takeDueAlerts, (database) => takeDueAlerts(database, { limit: 20, leaseMs: 1_000, now: new Date() }), {
  acrossNetworks: true,
})
