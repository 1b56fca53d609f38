import type { Hex } from 'viem'
import type { Arrival, Reception } from '../actors/createReceiver.ts'
import type { Block } from '../chain/createChain.ts'
import { network } from '../market.ts'
import type { World } from '../world.ts'
import { Violation } from './violation.ts'

/** calm blocks within which a delivery arrives: a lease of an attempt and one of the queue */
const boundBlocks = 12
/** delay of the first repetition; each further one takes twice as long */
const firstDelayMs = 5_000
/** notifications older than this no longer change */
const windowBlocks = 60

const blockMs = network.blockTimeSeconds * 1_000

type Row = { id: string; uid: Hex; type: string; account: string; isRetracted: boolean; revision: number; at: number }

const readRevision = ({ key }: Arrival): number => Number(key.split('-').at(-1))
const isCorrection = ({ type }: Arrival): boolean => type === 'notification.retracted'

/**
 * Subscribers receive each notification of their account at least once under one key, the newest state of it in the end,
 * revisions in their order, and nothing else. In calm weather, an accepted delivery does not arrive again.
 * @returns a check for each block
 */
export const createNotificationCheck = (world: World, receptions: readonly Reception[]) => {
  const { database, weather } = world
  /** time at which a revision of a notification was first seen */
  const seen = new Map<string, { revision: number; at: number }>()
  const states = new Map(
    receptions.map((reception) => [
      reception,
      {
        checked: 0,
        byKey: new Map<string, Arrival>(),
        settled: new Set<string>(),
        byNotification: new Map<string, Arrival[]>(),
      },
    ]),
  )

  const readRows = async (): Promise<Row[]> => {
    const rows = await database.read(
      `select id, order_uid, type, account, revision, retracted_at is not null as retracted,
          (extract(epoch from created_at) * 1000)::bigint as at
        from notifications where created_at > $1::timestamptz order by id`,
      [new Date(world.now() - windowBlocks * blockMs).toISOString()],
    )
    return rows.map((row) => ({
      id: row.id ?? '',
      uid: `0x${row.order_uid?.slice(2)}`,
      type: row.type ?? '',
      account: `0x${row.account?.slice(2)}`,
      isRetracted: row.retracted === 't',
      revision: Number(row.revision),
      at: Number(row.at),
    }))
  }

  const checkReceipt = (reception: Reception, receipt: Arrival, row: Row | undefined): void => {
    const { byKey, settled, byNotification } = states.get(reception) ?? fail()
    const { key, notificationId } = receipt
    const text = `${reception.name} received ${receipt.type} ${key}`
    if (settled.has(key)) throw new Violation('notifications', `${text} again`, row?.uid)
    const known = byKey.get(key)
    byKey.set(key, receipt)
    if (known && (known.type !== receipt.type || known.notificationId !== notificationId))
      throw new Violation('notifications', `${text}, which was ${known.type} of ${known.notificationId}`, row?.uid)
    const earlier = byNotification.get(notificationId) ?? []
    if (earlier.some((other) => readRevision(other) > readRevision(receipt)))
      throw new Violation('notifications', `${text} after ${earlier.at(-1)?.key}`, row?.uid)
    byNotification.set(notificationId, [...earlier, receipt])
    if (!row) return
    const keys = new Set(byNotification.get(notificationId)?.map((other) => other.key))
    if (keys.size > row.revision)
      throw new Violation('notifications', `${text}, its key ${keys.size} in revision ${row.revision}`, row.uid)
    const isOwn = row.account === reception.account && row.type === receipt.notificationType
    if (!isOwn || !reception.types.includes(row.type))
      throw new Violation('notifications', `${text}, which is ${row.type} of ${row.account}`, row.uid)
  }

  const checkArrival = (reception: Reception, row: Row, block: Block): void => {
    const { byNotification } = states.get(reception) ?? fail()
    const receipts = byNotification.get(row.id) ?? []
    const arrived = receipts.filter(({ outcome }) => outcome !== 'refused')
    const newest = arrived.at(-1)
    if (row.isRetracted ? !newest || isCorrection(newest) : newest && !isCorrection(newest)) return
    const lastRefusal = reception.receipts.findLast(({ outcome }) => outcome === 'refused')?.at ?? 0
    const since = Math.max(
      seen.get(row.id)?.at ?? 0,
      lastRefusal,
      (block.timestamp - (block.number - weather.disturbedAt) * network.blockTimeSeconds) * 1_000,
    )
    const bound = boundBlocks * blockMs + firstDelayMs * 2 ** (receipts.length - arrived.length)
    if (world.now() - since <= bound) return
    const state = row.isRetracted ? 'retracted' : 'valid'
    throw new Violation(
      'notifications',
      `${reception.name} does not know that ${row.type} ${row.id} is ${state}, revision ${row.revision}`,
      row.uid,
    )
  }

  return async (block: Block): Promise<void> => {
    const rows = await readRows()
    const byId = new Map(rows.map((row) => [row.id, row]))
    for (const { id, revision } of rows)
      if (seen.get(id)?.revision !== revision) seen.set(id, { revision, at: world.now() })
    const isCalm = block.number > weather.disturbedAt
    for (const [reception, state] of states) {
      const fresh = reception.receipts.slice(state.checked)
      state.checked = reception.receipts.length
      for (const receipt of fresh) checkReceipt(reception, receipt, byId.get(receipt.notificationId))
      // the outcome of an attempt of this moment may still get lost
      if (isCalm)
        for (const { key, outcome, at } of fresh)
          if (outcome === 'accepted' && at < world.now() - 1_000) state.settled.add(key)
      const { confirmedAt } = reception
      if (!isCalm || confirmedAt === undefined) continue
      for (const row of rows)
        if (row.account === reception.account && reception.types.includes(row.type) && row.at > confirmedAt)
          checkArrival(reception, row, block)
    }
  }
}

const fail = (): never => {
  throw new Error('unreachable')
}
