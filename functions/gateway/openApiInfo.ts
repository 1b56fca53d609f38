/** What `/openapi.json` says before any route. */
export const openApiInfo = {
  title: 'edgebook',
  summary: 'Trade ERC-20 tokens with signed orders that competing solvers settle on-chain',
  description: `Ask for a quote, sign the order it describes, place it, and follow it until solvers have settled it.

- **Networks** are the first segment of a path: a name, an alias or a chain id.
- **Amounts** are decimal strings of atoms, the smallest unit of a token; "wei" means the native token. Prices say their
  unit. Times are Unix seconds in requests and orders, ISO 8601 elsewhere.
- **Addresses, hashes and UIDs** are \`0x\` and hex digits, in any case in a request, in lower case in an answer. Unknown
  fields of a request are ignored.
- **Errors** of the order book have the shape \`Error\`, with a stable \`errorType\`, those of the auxiliary API the shape
  \`Message\`; \`data\` says in numbers what failed. A path that is not in
  this document answers 404 \`NotFound\`, a method that a path does not have 405 \`MethodNotAllowed\` with \`Allow\`.
- **Every answer** has \`X-Request-Id\` (the caller's when it sends one), \`Cache-Control\`, and CORS headers for any
  origin; \`OPTIONS\` answers 204 on every path, \`HEAD\` where \`GET\` does, and a trailing slash changes nothing. 503 and
  429 say \`Retry-After\`. What is kept at the edge says so in \`CF-Cache-Status\` and \`Age\`.
- **Rate limits** are at \`/limits\`: requests of one client address, quotes, submissions and reads apart. Answers under a
  limit name it in \`RateLimit-Policy\`; one request too many, on any path, is 429 \`RateLimited\`.`,
  license: { name: 'MIT', identifier: 'MIT' },
}

export const openApiTags = [
  { name: 'Quotes', description: 'Price and fee of an order that nobody has signed yet' },
  { name: 'Orders', description: 'Place, read, follow and cancel signed orders' },
  { name: 'Trades', description: 'What was executed on-chain' },
  { name: 'App data', description: 'Documents that orders name by their hash' },
  { name: 'Auctions', description: 'What the solvers work on, and what they proposed' },
  { name: 'Debug', description: 'Why an order was filled, or was not' },
  { name: 'Tokens', description: 'What a token is, what it is worth and who holds it' },
  { name: 'Markets', description: 'How prices move, what pools earn, what transactions would do' },
  { name: 'Accounts', description: 'What an account has, and every change of it' },
  { name: 'Notifications', description: 'What an account is told of its orders' },
  { name: 'Subscriptions', description: 'Where an account is told of them: webhooks, e-mail, Telegram, web push' },
  { name: 'Affiliates', description: 'Codes that bring traders, and what they earn' },
  { name: 'Service', description: 'The deployment itself' },
  { name: 'Console', description: 'Pages for people in front of this API, which use nothing else' },
]
