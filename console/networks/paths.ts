import type { NetworkName } from './NetworksProvider.tsx'

const withNetwork = (path: string, network: NetworkName | undefined): string =>
  network === undefined ? path : `${path}?network=${network}`

/**
 * Where each page is. A link says the network, because only it tells orders of the same UID apart; what is searched for
 * may be on any of them, and its page finds out.
 */
export const paths = {
  trade: (network: NetworkName) => withNetwork('/', network),
  /** what is left of an open order can be cancelled there */
  tradeOrder: (network: NetworkName, uid: string) => `${withNetwork('/', network)}&order=${uid}`,
  order: (network: NetworkName | undefined, uid: string) => withNetwork(`/orders/${uid}`, network),
  account: (network: NetworkName, account: string) => withNetwork(`/accounts/${account}`, network),
  transaction: (network: NetworkName | undefined, hash: string) => withNetwork(`/transactions/${hash}`, network),
  auction: (network: NetworkName | undefined, id: string | number) => withNetwork(`/auctions/${id}`, network),
  status: (network: NetworkName) => withNetwork('/status', network),
}
