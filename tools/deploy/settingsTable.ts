import { feeSettings } from '#shared/fees/feeSettings.ts'
import type { WorkerGroup } from '../workers/workerGroups.ts'

/** One setting that the operator provides. Each Worker checks its values. */
export type SettingRow = {
  /** `network`: one per network, else that of the shared file; `shared`: one for all */
  scope: 'network' | 'shared'
  /** Workers that receive it; rules in `workerGroups` are not repeated here */
  groups: readonly WorkerGroup[]
  /** stored as a Worker secret: not readable afterwards, in no configuration and no log */
  secret?: true
  /** required for any deployment */
  required?: true
  about: string
}

const feeRows = Object.fromEntries(
  Object.keys(feeSettings).map((name) => [
    name,
    { scope: 'network', groups: ['quotes', 'auctions'], about: 'fees (docs/fees.md)' } satisfies SettingRow,
  ]),
)

/** Every setting of a deployment, beside `SOLVER_PRIVATE_KEY_<NAME>` for each local solver of `SOLVERS`. */
export const settingsTable: Readonly<Record<string, SettingRow>> = {
  DATABASE_URL: {
    scope: 'network',
    groups: [],
    secret: true,
    required: true,
    about: 'Postgres at Neon, postgresql://user:password@host/database; the same for all networks in the shared file',
  },
  RPC_URL: { scope: 'network', groups: [], secret: true, required: true, about: 'JSON-RPC node of the network' },
  SOLVERS: {
    scope: 'network',
    groups: [],
    required: true,
    about:
      'who competes: [{"name":"direct","strategy":"direct"}] runs here, {"name":"…","address":"0x…","url":"https://…"} elsewhere',
  },
  DEBUG_TOKEN: {
    scope: 'network',
    groups: ['debug'],
    secret: true,
    about: 'bearer token of debug reports; public when unset; random text of 32 characters',
  },
  HIDE_COMPETITION_BEFORE_DEADLINE: { scope: 'network', groups: ['debug'], about: 'true or false' },
  BANNED_USERS: {
    scope: 'network',
    groups: ['quotes', 'orders', 'debug', 'auctions'],
    about: 'addresses that may not trade, receive or earn partner fees, separated by commas',
  },
  UNSUPPORTED_TOKENS: {
    scope: 'network',
    groups: ['quotes', 'orders', 'debug', 'auctions'],
    about: 'refused tokens, separated by commas',
  },
  LISTED_TOKENS: {
    scope: 'network',
    groups: ['quotes'],
    about: 'first tokens of the token list, best first, separated by commas',
  },
  ORDER_APP_DATA: {
    scope: 'network',
    groups: ['orders', 'debug'],
    about: 'appData of returned orders: document, or hash for the public explorer (docs/frontends.md)',
  },
  MAX_GAS_PER_ORDER: { scope: 'network', groups: ['orders', 'debug'], about: 'gas units, 8000000' },
  MAX_LIMIT_ORDERS_PER_USER: {
    scope: 'network',
    groups: ['orders'],
    about: 'open orders of one owner outside the market or without a quote, 10',
  },
  MAX_OPEN_ORDERS_PER_USER: { scope: 'network', groups: ['orders'], about: 'open orders of one owner, 1000' },
  MAX_UNSIGNED_ORDERS_PER_CLIENT: {
    scope: 'network',
    groups: ['orders'],
    about: 'presign orders of one client without a pre-signature, 50',
  },
  MAX_UNSIGNED_ORDERS: {
    scope: 'network',
    groups: ['orders'],
    about: 'presign orders of all clients without a pre-signature, 50000',
  },
  CHAIN_TIMEOUT_MS: {
    scope: 'network',
    groups: ['orders'],
    about: 'milliseconds that a new order waits for the node, 4000; 20000 at most',
  },
  QUOTE_TIMEOUT_MS: {
    scope: 'network',
    groups: ['quotes'],
    about: 'milliseconds that solvers have for a quote, 5000; 20000 at most',
  },
  ...feeRows,
  SOLVE_TIME_MS: {
    scope: 'network',
    groups: ['auctions'],
    about: 'milliseconds that solvers have for an auction, 10000',
  },
  TICK_INTERVAL_MS: {
    scope: 'network',
    groups: ['auctions'],
    about: 'milliseconds between two reads of the chain, 1000',
  },
  AUCTION_INTERVAL_MS: { scope: 'network', groups: ['auctions'], about: 'pause after an auction without a solution' },
  SUBMISSION_DEADLINE_BLOCKS: { scope: 'network', groups: ['auctions'], about: 'blocks that a winner has, 5' },
  MIN_VALIDITY_SECONDS: {
    scope: 'network',
    groups: ['auctions', 'debug'],
    about: 'least rest of validity in an auction, 60',
  },
  PRICE_MAX_AGE_MS: { scope: 'network', groups: ['auctions'], about: 'age at which a native price is refreshed' },
  PLAUSIBLE_RATE_FACTOR: {
    scope: 'network',
    groups: ['auctions'],
    about: 'how many times above every known rate a solver may promise, 10',
  },
  OUT_OF_MARKET_BPS: { scope: 'network', groups: ['auctions', 'debug'], about: 'distance from the market, 5000' },
  ONCHAIN_ORDER_CONTRACTS: { scope: 'network', groups: ['auctions'], about: 'trusted contracts that place orders' },
  START_BLOCK: { scope: 'network', groups: ['auctions'], about: 'first block of an empty index' },
  REINDEX_FROM: { scope: 'network', groups: ['auctions'], about: 'way out of a deep reorganisation' },
  SURPLUS_CAPTURING_JIT_ORDER_OWNERS: {
    scope: 'network',
    groups: ['auctions'],
    about: 'owners of just-in-time orders',
  },
  EVENT_FEEDS: { scope: 'network', groups: ['streams'], about: 'feeds that share the topics of a network, 4' },
  ORDER_STREAMS_PER_CLIENT: {
    scope: 'network',
    groups: ['streams'],
    about: 'streams of order events of one client, 50',
  },
  ORDER_STREAMS_PER_TOPIC: {
    scope: 'network',
    groups: ['streams'],
    about: 'streams on one order or account that share a feed, 2000',
  },
  ORDER_STREAM_LIFETIME_MS: { scope: 'network', groups: ['streams'], about: 'life of such a stream, 1800000' },
  EVENTS_POLL_MS: { scope: 'network', groups: ['streams'], about: 'milliseconds between two reads of the log, 500' },
  UNISWAP_V2_FACTORY: { scope: 'network', groups: ['solver'], about: 'pools of the reference solver' },
  BASE_TOKENS: { scope: 'network', groups: ['solver'], about: 'tokens that routes pass through, a JSON array' },

  API_KEYS: {
    scope: 'shared',
    groups: ['gateway'],
    secret: true,
    about: 'tiers of API keys: {"<SHA-256 of a key in hex>":"partner"}',
  },
  DOMAIN: {
    scope: 'shared',
    groups: [],
    about: 'host of the gateway in a zone of the account; without it workers.dev',
  },
  MAINNET_RPC_URL: {
    scope: 'shared',
    groups: ['affiliate'],
    secret: true,
    about: "Ethereum's node for signatures of contract wallets; needed while mainnet is not deployed here",
  },
  PUBLIC_URL: {
    scope: 'shared',
    groups: ['notifier'],
    about: 'base URL of links in messages; default https://<DOMAIN>',
  },
  CMS_ENABLED: {
    scope: 'shared',
    groups: ['accounts', 'affiliate'],
    about: 'enables notifications and the affiliate program, true',
  },
  CMS_API_KEY: { scope: 'shared', groups: ['accounts'], secret: true, about: 'any text enables notifications' },
  SERVICE_NAME: { scope: 'shared', groups: ['accounts'], about: 'name in the messages that subscribers sign' },
  VAPID_PUBLIC_KEY: { scope: 'shared', groups: ['accounts', 'notifier'], about: 'web push: P-256, base64url' },
  VAPID_PRIVATE_KEY: { scope: 'shared', groups: ['notifier'], secret: true, about: 'web push: P-256, base64url' },
  VAPID_SUBJECT: {
    scope: 'shared',
    groups: ['notifier'],
    about: 'web push: contact for push services, mailto:…',
  },
  TELEGRAM_BOT_NAME: { scope: 'shared', groups: ['accounts'], about: 'name of the bot, without @' },
  TELEGRAM_BOT_TOKEN: { scope: 'shared', groups: ['notifier'], secret: true, about: 'what BotFather gave' },
  TELEGRAM_WEBHOOK_SECRET: {
    scope: 'shared',
    groups: ['accounts'],
    secret: true,
    about: 'secret_token of setWebhook, 32 random characters',
  },
  TELEGRAM_URL: { scope: 'shared', groups: ['notifier'], about: 'another address of Telegram' },
  EMAIL_API_KEY: { scope: 'shared', groups: ['notifier'], secret: true, about: 'key of Resend' },
  EMAIL_FROM: { scope: 'shared', groups: ['accounts', 'notifier'], about: 'edgebook <notifications@example.com>' },
  EMAIL_URL: { scope: 'shared', groups: ['notifier'], about: 'another address that speaks the API of Resend' },
  DNS_URL: { scope: 'shared', groups: ['notifier'], about: 'resolver of the names of webhooks' },
  STATS_API_KEY: { scope: 'shared', groups: ['affiliate'], secret: true, about: 'any text enables statistics' },
  AFFILIATE_SERVICE_NAME: { scope: 'shared', groups: ['affiliate'], about: 'name in the messages that wallets sign' },
  AFFILIATE_PROGRAM: { scope: 'shared', groups: ['affiliate'], about: 'rules of the program (docs/affiliate.md)' },
  COINGECKO_API_KEY: { scope: 'shared', groups: ['tokens'], secret: true, about: 'prices' },
  COINGECKO_URL: { scope: 'shared', groups: ['tokens'], about: 'another address of CoinGecko' },
  DEFILLAMA_API_KEY: { scope: 'shared', groups: ['tokens'], secret: true, about: 'prices' },
  DEFILLAMA_URL: { scope: 'shared', groups: ['tokens'], about: 'another address of DefiLlama' },
  MORALIS_API_KEY: { scope: 'shared', groups: ['tokens'], secret: true, about: 'holders' },
  MORALIS_URL: { scope: 'shared', groups: ['tokens'], about: 'another address of Moralis' },
  ETHPLORER_API_KEY: { scope: 'shared', groups: ['tokens'], secret: true, about: 'holders' },
  ETHPLORER_URLS: { scope: 'shared', groups: ['tokens'], about: 'addresses of Ethplorer by network, JSON' },
  GOLDRUSH_API_KEY: { scope: 'shared', groups: ['tokens'], secret: true, about: 'holders' },
  GOLDRUSH_URL: { scope: 'shared', groups: ['tokens'], about: 'another address of GoldRush' },
  PRICE_MAX_DEVIATION_BPS: { scope: 'shared', groups: ['tokens'], about: 'allowed difference of price sources, 1000' },
  HOLDER_TOKENS: { scope: 'shared', groups: ['tokens'], about: 'tokens with a holder index, JSON' },
  SLIPPAGE_MIN_BPS: { scope: 'shared', groups: ['quotes', 'markets'], about: 'smallest returned slippage, 5' },
  SLIPPAGE_MAX_BPS: { scope: 'shared', groups: ['quotes', 'markets'], about: 'largest returned slippage, 2000' },
  SLIPPAGE_DEFAULT_BPS: { scope: 'shared', groups: ['quotes', 'markets'], about: 'slippage of an unknown pair, 50' },
  PRICE_SAMPLE_INTERVAL_MS: {
    scope: 'shared',
    groups: ['markets'],
    about: 'milliseconds between two price samples, 300000',
  },
  YIELDS_ENABLED: { scope: 'shared', groups: ['markets'], about: 'enables yields of DefiLlama, false' },
  DEFILLAMA_YIELDS_URL: { scope: 'shared', groups: ['markets'], secret: true, about: 'list of pools; may hold a key' },
  STREAMS_PER_CLIENT: { scope: 'shared', groups: ['accounts'], about: 'streams of one client, 50' },
  STREAMS_PER_ACCOUNT: {
    scope: 'shared',
    groups: ['accounts'],
    about: 'streams on one account that share a watch, 2000',
  },
  TOKENS_PER_ACCOUNT: { scope: 'shared', groups: ['accounts'], about: 'tokens on one account that share a watch, 500' },
  STREAM_LIFETIME_MS: { scope: 'shared', groups: ['accounts'], about: 'life of a stream, 1800000' },
  BALANCES_POLL_MS: { scope: 'shared', groups: ['accounts'], about: 'milliseconds between two checks for a new block' },
}

/** Settings that deriving builds from secrets: URLs of nodes contain keys. */
const derivedSecrets = ['RPC_URLS', 'SOLVER_PRIVATE_KEY']

const secretNames = new Set([
  ...Object.keys(settingsTable).filter((name) => settingsTable[name]?.secret),
  ...derivedSecrets,
])

/** Whether a setting of a Worker is a secret. */
export const isSecret = (name: string): boolean => secretNames.has(name)

/** The setting with the private key of a solver that runs here. */
export const solverKeyName = (solver: string): string =>
  `SOLVER_PRIVATE_KEY_${solver.toUpperCase().replaceAll('-', '_')}`
