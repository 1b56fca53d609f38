type GroupRules = {
  /** network settings that become vars */
  settings: readonly ('DATABASE_URL' | 'RPC_URL')[]
  /** receives `SOLVERS`, and a service binding to each solver Worker */
  solvers?: 'asks'
  /** binding name → group of the same network */
  services: Readonly<Record<string, string>>
  /** binding name → shared group */
  sharedServices?: Readonly<Record<string, string>>
}

/** Configuration of a network's Workers beyond their wrangler.toml; the gateway is bound to each of them. */
export const workerGroups = {
  quotes: { settings: ['DATABASE_URL', 'RPC_URL'], solvers: 'asks', services: {} },
  orders: { settings: ['DATABASE_URL', 'RPC_URL'], services: { AUCTIONS: 'auctions' } },
  debug: { settings: ['DATABASE_URL', 'RPC_URL'], services: { QUOTES: 'quotes' } },
  status: { settings: ['DATABASE_URL', 'RPC_URL'], solvers: 'asks', services: {} },
  streams: { settings: ['DATABASE_URL'], services: {} },
  auctions: {
    settings: ['DATABASE_URL', 'RPC_URL'],
    solvers: 'asks',
    services: {},
    sharedServices: { NOTIFIER: 'notifier' },
  },
} as const satisfies Record<string, GroupRules>

export type NetworkGroup = keyof typeof workerGroups

type SharedGroupRules = {
  /** `RPC_URLS` has an entry per network, `DATABASE_URL` is that of the first one, `MAINNET_RPC_URL` is mainnet's */
  settings: readonly ('DATABASE_URL' | 'MAINNET_RPC_URL' | 'RPC_URLS')[]
  /** groups bound for every network, as `<GROUP>_<NETWORK>` */
  networkServices: readonly NetworkGroup[]
  /** binding name → shared group */
  services?: Readonly<Record<string, string>>
}

/** The shared Workers, one for all networks; the gateway is bound to each by its name in capitals. */
export const sharedWorkerGroups = {
  accounts: { settings: ['DATABASE_URL', 'RPC_URLS'], networkServices: [], services: { NOTIFIER: 'notifier' } },
  affiliate: { settings: ['DATABASE_URL', 'MAINNET_RPC_URL', 'RPC_URLS'], networkServices: [] },
  markets: { settings: ['DATABASE_URL', 'RPC_URLS'], networkServices: [], services: { TOKENS: 'tokens' } },
  notifier: { settings: ['DATABASE_URL', 'RPC_URLS'], networkServices: [] },
  tokens: { settings: ['RPC_URLS'], networkServices: ['quotes'] },
} as const satisfies Record<string, SharedGroupRules>

export type SharedWorkerGroup = keyof typeof sharedWorkerGroups

/** Groups with a wrangler.toml: the gateway runs once, a solver once per solver and network. */
export type WorkerGroup = NetworkGroup | SharedWorkerGroup | 'gateway' | 'solver'
