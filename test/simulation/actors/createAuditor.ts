import type { Hex } from 'viem'
import type { Audit, PublicCompetition, PublicReport, PublicRow } from '../audit.ts'
import { type ChainEvent, listChainEvents } from '../oracle/listChainEvents.ts'
import type { Participant, World } from '../world.ts'

/** blocks after the last event of an order until all routes must know it */
const quietBlocks = 4

/** Reads orders through the gateway some blocks after they traded or ended on the chain, from every route that has them. */
export const createAuditor = (world: World, name: string): Participant => {
  const dice = world.dice(name)
  const { chain, orders } = world

  const findUid = (event: ChainEvent): Hex | undefined =>
    event.name === 'Trade' || event.name === 'OrderInvalidated' || event.name === 'OrderInvalidation'
      ? event.args.orderUid
      : undefined
  const chooseOrder = (head: number): Hex | undefined => {
    const recent = new Set(listChainEvents(chain.blocks.slice(-quietBlocks)).map(findUid))
    const ended = listChainEvents(chain.blocks.slice(Math.max(0, head - 3 * quietBlocks), head - quietBlocks + 1))
    const due = [...new Set(ended.map(findUid))].flatMap((uid) =>
      uid !== undefined && orders.has(uid) && !recent.has(uid) ? [uid] : [],
    )
    return due.length > 0 ? dice.pick(due) : undefined
  }
  const audit = async (uid: Hex): Promise<Audit> => {
    const statuses: number[] = []
    const get = async <T>(path: string): Promise<T> => {
      const response = await world.service.gateway.fetch(`http://gateway${path}`)
      statuses.push(response.status)
      return (await response.json()) as T
    }
    // the gateway may respond with an older list
    const getNotifications = async (account: unknown): Promise<PublicRow[]> => {
      const response = await world.service.accounts.fetch(`http://accounts/accounts/${account}/notifications`)
      statuses.push(response.status)
      return (await response.json()) as PublicRow[]
    }
    const ofNetwork = <T>(path: string) => get<T>(`/sepolia/api/${path}`)
    const from = chain.head()
    const [order, tradesV1, trades, report] = await Promise.all([
      ofNetwork<PublicRow>(`v1/orders/${uid}`),
      ofNetwork<PublicRow[]>(`v1/trades?orderUid=${uid}`),
      ofNetwork<PublicRow[]>(`v2/trades?orderUid=${uid}`),
      ofNetwork<PublicReport>(`v1/debug/order/${uid}`),
    ])
    const competitions: Audit['competitions'] = []
    for (const { txHash, auctionId } of report.trades ?? []) {
      const [byHash, byId] = await Promise.all([
        ofNetwork<PublicCompetition>(`v2/solver_competition/by_tx_hash/${txHash}`),
        ofNetwork<PublicCompetition>(`v2/solver_competition/${auctionId}`),
      ])
      competitions.push({ hash: txHash, byHash, byId })
    }
    const notifications = await getNotifications(order.onchainUser ?? order.owner)
    return { uid, from, to: chain.head(), statuses, order, tradesV1, trades, report, competitions, notifications }
  }

  return {
    name,
    act: async ({ number }) => {
      if (number < quietBlocks || !dice.chance(0.3)) return
      const uid = chooseOrder(number)
      if (uid === undefined) return
      const answers = await audit(uid)
      world.audits.push(answers)
      world.log('audited', { uid, at: answers.from.number, statuses: answers.statuses })
    },
  }
}
