import type { NetworkName } from './NetworksProvider.tsx'

const withNetwork = (path: string, network: NetworkName | undefined): string =>
  network === undefined ? path : `${path}?network=${network}`

/**
 * Paths of pages. A link names its network, since orders of several networks may have the same UID; search results omit
 * it, and their page finds the network.
 */
export const paths = {
  trade: (network: NetworkName) => withNetwork('/', network),
  tradePair: (network: NetworkName, sell: string, buy: string) =>
    `${withNetwork('/', network)}&sell=${sell}&buy=${buy}`,
  /** an open order can be cancelled there */
  tradeOrder: (network: NetworkName, uid: string) => `${withNetwork('/', network)}&order=${uid}`,
  order: (network: NetworkName | undefined, uid: string) => withNetwork(`/orders/${uid}`, network),
  account: (network: NetworkName, account: string) => withNetwork(`/accounts/${account}`, network),
  transaction: (network: NetworkName | undefined, hash: string) => withNetwork(`/transactions/${hash}`, network),
  auction: (network: NetworkName | undefined, id: string | number) => withNetwork(`/auctions/${id}`, network),
  solver: (network: NetworkName, address: string) => withNetwork(`/solvers/${address}`, network),
  token: (network: NetworkName, address: string) => withNetwork(`/tokens/${address}`, network),
  notifications: (network: NetworkName) => withNetwork('/notifications', network),
  explorer: (network: NetworkName) => withNetwork('/explore', network),
  status: (network: NetworkName) => withNetwork('/status', network),
}
