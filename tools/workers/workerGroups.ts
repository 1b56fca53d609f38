type GroupRules = {
  /** settings of the network that become vars */
  settings: readonly ('DATABASE_URL' | 'RPC_URL')[]
  /** gets `SOLVERS`, and a service binding to each solver that is a Worker */
  asksSolvers: boolean
  /** binding name → group of the same network */
  services: Readonly<Record<string, string>>
}

/** What the Workers of one network need beside their own wrangler.toml; the gateway is bound to each of them. */
export const workerGroups = {
  quotes: { settings: ['DATABASE_URL', 'RPC_URL'], asksSolvers: true, services: {} },
  orders: { settings: ['DATABASE_URL', 'RPC_URL'], asksSolvers: false, services: { AUCTIONS: 'auctions' } },
  debug: { settings: ['DATABASE_URL'], asksSolvers: false, services: {} },
  auctions: { settings: ['DATABASE_URL', 'RPC_URL'], asksSolvers: true, services: {} },
} as const satisfies Record<string, GroupRules>

export type NetworkGroup = keyof typeof workerGroups
/** Groups with a wrangler.toml: the gateway's runs once, a solver's once per solver and network, all others per network. */
export type WorkerGroup = NetworkGroup | 'gateway' | 'solver'
