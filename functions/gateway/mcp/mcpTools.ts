import type { RouteName } from '#shared/api/routes.ts'

export type McpTool = {
  /** the route that validates the arguments and responds */
  route: RouteName
  title: string
  description: string
  /** arguments where the client sends none */
  defaults?: Readonly<Record<string, string | number>>
  /** arguments that the route takes as headers; all others are of its path and query, and `body` */
  headers?: readonly string[]
  /** the body must name the receiver, and the result is an order to sign that has it */
  isPinned?: boolean
}

/**
 * Tools of the MCP endpoint, each over one route. None signs, places, cancels or stores an order, and none takes a key:
 * a client signs what `build_order` returns and places it with `POST …/orders`.
 */
export const mcpTools = {
  networks: {
    route: 'getIndex',
    title: 'Networks',
    description: 'Networks of this deployment with their contracts: vaultRelayer is what an owner approves.',
  },
  status: {
    route: 'getStatus',
    title: 'Status',
    description: 'State of every network: newest block, auctions, solvers and their faults.',
  },
  usd_price: {
    route: 'getUsdPrice',
    title: 'US dollar price',
    description: 'US dollars for one whole token; "-" is the native token.',
  },
  native_price: {
    route: 'getNativePrice',
    title: 'Native price',
    description: 'Price of a token in wei of the native token per atom.',
  },
  balances: {
    route: 'getBalances',
    title: 'Balances',
    description: 'Balances of an account and its allowances to the vault relayer, for a list of tokens.',
  },
  quote: {
    route: 'postQuote',
    title: 'Quote',
    description:
      'Price and fee of an unsigned order, confirmed by simulation. Amounts are decimal strings of atoms. Use build_order for an order to sign.',
  },
  build_order: {
    route: 'postQuote',
    title: 'Order to sign',
    description:
      'Quotes a trade and returns the order to sign as EIP-712 typed data, with the request that places it once it is signed, and `funding`: what the owner lacks and the calls that provide it. `receiver` is required, and an order with another receiver, owner, token or kind is never returned. Signs and stores nothing.',
    isPinned: true,
  },
  dry_run: {
    route: 'postSimulation',
    title: 'Dry run',
    description:
      'Simulates an order, signed or not, on the newest block: a checklist of what passes, what fails and why. Stores nothing.',
  },
  explain_order: {
    route: 'getDebugReport',
    title: 'Why an order is or is not filled',
    description: 'Full history of a placed order with a diagnosis: its state, the reason and what would help.',
  },
  receipt: {
    route: 'getReceipt',
    title: 'Receipt of an order',
    description:
      'What an order was promised and what it got: quote, limit, fills, fees and their beneficiaries, gas, runner-up and reference prices.',
  },
  follow_order: {
    route: 'getOrder',
    title: 'Follow an order',
    description:
      'Waits until a placed order changes, 25 seconds by default. Send the `etag` of the last result as `if-none-match`, so that no change is missed; `unchanged` means that the wait ended: call again.',
    defaults: { wait: 25 },
    headers: ['if-none-match'],
  },
} as const satisfies Record<string, McpTool>

export type McpToolName = keyof typeof mcpTools

/** The tool of a name; undefined for an unknown one. */
export const findTool = (name: string): McpTool | undefined =>
  Object.hasOwn(mcpTools, name) ? mcpTools[name as McpToolName] : undefined
