import type { LoggedEvent } from '#schema/queries/events/logPage.ts'
import type { LogTopic, TokenPair } from '#schema/queries/events/logTopic.ts'

/** Unique key of a topic: the UID of an order, an account, or a name. */
export const toTopicKey = (topic: LogTopic): string => {
  if ('orderUid' in topic) return topic.orderUid
  if ('account' in topic) return topic.account
  if ('conditional' in topic) return `conditional ${topic.conditional}`
  if ('pair' in topic) return `pair ${toPairKey(topic.pair)}`
  if ('auctions' in topic) return 'auctions'
  return topic.trades === 'all' ? 'trades' : `trades ${toPairKey(topic.trades)}`
}

/** Keys of the topics that an event belongs to. */
export const listTopicKeys = (logged: LoggedEvent): string[] => {
  if ('conditional' in logged) return [logged.conditional.owner, `conditional ${logged.conditional.owner}`]
  const { event, order } = logged
  const pair = toPairKey([order.sellToken, order.buyToken])
  return [
    ...new Set([order.uid, order.owner, order.onchainUser ?? order.owner]),
    ...(order.isPart ? [`conditional ${order.owner}`] : []),
    `pair ${pair}`,
    ...(event.label === 'traded' ? ['trades', `trades ${pair}`] : []),
    ...(event.auctionId === null ? [] : ['auctions']),
  ]
}

const toPairKey = (pair: TokenPair): string => pair.toSorted().join('-')
