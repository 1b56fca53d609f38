/** `info` of `/openapi.json`. */
export const openApiInfo = {
  title: 'edgebook',
  summary: 'Trade ERC-20 tokens with signed orders that competing solvers settle on-chain',
  description: `Request a quote, sign the order it describes, place it, and follow it until solvers have settled it.

- **Networks** are the first segment of a path: a name, an alias or a chain id.
- **Amounts** are decimal strings of atoms, the smallest unit of a token; "wei" means the native token. Prices state
  their unit. Times are Unix seconds in requests and orders, ISO 8601 elsewhere.
- **Addresses, hashes and UIDs** are \`0x\` and hex digits, in any case in requests, in lower case in responses. Unknown
  query parameters and body fields are ignored and listed in \`X-Ignored-Fields\`.
- **Errors** of the order book have the shape \`Error\`, with a stable \`errorType\`; those of the auxiliary API have the shape
  \`Message\`. \`data\` has machine-readable details. [The catalogue](/errors) has code, class, meaning and cure of each
  type, and the header \`Link\` of an error response leads to its row. Unknown paths are 404 \`NotFound\`; unsupported methods are 405
  \`MethodNotAllowed\` with \`Allow\`.
- **Every response** has \`X-Request-Id\` (the caller's, if it sends one), \`Cache-Control\`, and CORS headers for any origin.
  \`OPTIONS\` returns 204 on every path, \`HEAD\` works wherever \`GET\` does, and a trailing slash is ignored. 503 and 429 have
  \`Retry-After\`. Cached responses have \`CF-Cache-Status\` and \`Age\`.
- **Rate limits** are listed at \`/limits\`: per client address, separately for quotes, submissions and reads. Responses name
  their limit in \`RateLimit-Policy\`; requests above it get 429 \`RateLimited\`.`,
  license: { name: 'MIT', identifier: 'MIT' },
}

export const openApiTags = [
  { name: 'Quotes', description: 'Price and fee of an unsigned order' },
  { name: 'Orders', description: 'Place, read, follow and cancel signed orders' },
  { name: 'Trades', description: 'Executed amounts of settled orders' },
  {
    name: 'Conditional orders',
    description: 'TWAP, stop loss, good after time: parts enter the book when they are tradeable',
  },
  { name: 'App data', description: 'Documents that orders reference by hash' },
  { name: 'Auctions', description: 'Current auction and past solver competitions' },
  { name: 'Debug', description: 'Diagnosis of why an order was or was not filled' },
  { name: 'Tokens', description: 'Token metadata, US dollar prices and top holders' },
  { name: 'Markets', description: 'Price slippage, pool yields and transaction simulations' },
  { name: 'Accounts', description: 'Token balances of an account, once or as a stream' },
  { name: 'Notifications', description: "Notifications about an account's orders" },
  { name: 'Subscriptions', description: 'Delivery channels: webhook, e-mail, Telegram, web push' },
  { name: 'Affiliates', description: 'Affiliate codes and their rewards' },
  { name: 'Service', description: 'Health, status, limits and documentation of the deployment' },
  { name: 'Agents', description: 'The same API for language models: MCP, llms.txt, a catalogue of documents' },
  { name: 'Console', description: 'Web console; uses only this public API' },
]
