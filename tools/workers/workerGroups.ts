type GroupRules = {
  /** binding name → group of the same network */
  services: Readonly<Record<string, string>>
  /** binding name → shared group */
  sharedServices?: Readonly<Record<string, string>>
  /** whether it calls the solvers that run here */
  callsSolvers?: true
}

/** Configuration of a network's Workers beyond their wrangler.toml; the gateway is bound to each of them. */
export const workerGroups = {
  quotes: { services: {}, callsSolvers: true },
  orders: { services: { AUCTIONS: 'auctions' } },
  debug: { services: { QUOTES: 'quotes' } },
  status: { services: {}, callsSolvers: true },
  streams: { services: {} },
  auctions: {
    services: {},
    sharedServices: { NOTIFIER: 'notifier' },
    callsSolvers: true,
  },
} as const satisfies Record<string, GroupRules>

export type NetworkGroup = keyof typeof workerGroups

type SharedGroupRules = {
  /** groups bound for every network, as `<GROUP>_<NETWORK>` */
  networkServices: readonly NetworkGroup[]
  /** binding name → shared group */
  services?: Readonly<Record<string, string>>
}

/** The shared Workers, one for all networks; the gateway is bound to each by its name in capitals. */
export const sharedWorkerGroups = {
  accounts: { networkServices: [], services: { NOTIFIER: 'notifier' } },
  affiliate: { networkServices: [] },
  markets: { networkServices: [], services: { TOKENS: 'tokens' } },
  notifier: { networkServices: ['status'] },
  tokens: { networkServices: ['quotes'] },
} as const satisfies Record<string, SharedGroupRules>

export type SharedWorkerGroup = keyof typeof sharedWorkerGroups

/** Groups with a wrangler.toml: the gateway runs once, a solver once per solver and network. */
export type WorkerGroup = NetworkGroup | SharedWorkerGroup | 'gateway' | 'solver'
