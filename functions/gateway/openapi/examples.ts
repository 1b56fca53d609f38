import type { RouteName } from '#shared/api/routes.ts'
import { networks } from '#shared/networks.ts'

const { wrappedNative, usdReference, chainId } = networks.sepolia
/** An account of the local stack. */
const account = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const uid = `0x${'8f'.repeat(32)}${account.slice(2)}6b49d200`
const signature = `0x${'1c'.repeat(65)}`
const fullAppData = '{"appCode":"example","metadata":{}}'
/** keccak-256 of `fullAppData` */
const appDataHash = '0x0a3c48026cc6e8b1fce38a977623a8a05211b3e43af6a25f73516fcdbe741681'

const pair = { sellToken: wrappedNative, buyToken: usdReference.address }
const quote = { ...pair, from: account, kind: 'sell', sellAmountBeforeFee: '100000000000000000' }
const draft = {
  ...pair,
  receiver: account,
  sellAmount: '100000000000000000',
  buyAmount: '1000000',
  validTo: 1_800_000_000,
  feeAmount: '0',
  kind: 'sell',
  partiallyFillable: false,
  sellTokenBalance: 'erc20',
  buyTokenBalance: 'erc20',
  appData: '{}',
}
const cancellation = { signature, signingScheme: 'eip712' }
const signed = { chainId, nonce: `0x${'5e'.repeat(32)}`, deadline: 1_795_300_000, signature }

/**
 * Example bodies. UIDs, signatures, times and nonces show their form: clients put their own in their place.
 */
export const exampleBodies: Partial<Record<RouteName, unknown>> = {
  postQuote: quote,
  postQuoteStream: quote,
  postOrder: { ...draft, from: account, signingScheme: 'eip712', signature },
  postOrdersByUids: [uid],
  deleteOrder: cancellation,
  deleteOrders: { orderUids: [uid], ...cancellation },
  putAppData: { fullAppData },
  putAppDataByHash: { fullAppData },
  postSimulation: { ...draft, from: account, signingScheme: 'eip712' },
  postSettlementSimulation: { ...draft, owner: account },
  postUsdPrices: { tokenAddresses: [wrappedNative, usdReference.address] },
  postTokenDetails: { tokenAddresses: [wrappedNative, usdReference.address] },
  postYieldPools: [],
  postSimulateBundle: [{ from: account, to: wrappedNative, input: '0xd0e30db0', value: '1000000000000000' }],
  postSubscription: {
    channel: 'email',
    target: 'trader@example.com',
    types: ['order_filled'],
    networks: [chainId],
    ...signed,
  },
  postTelegramUpdate: { update_id: 1, message: { chat: { id: 1 }, text: '/start 0123456789' } },
  postLocalRpc: { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] },
  postAffiliate: { walletAddress: account, code: 'EXAMPLE-CODE', signedMessage: signature },
}

type ParameterValue = string | number

/** Example values of parameters by name, for schemas without their own. */
export const exampleParameters: Record<string, ParameterValue> = {
  uid,
  account,
  hash: `0x${'7a'.repeat(32)}`,
  tx_hash: `0x${'7a'.repeat(32)}`,
  id: '01a2b3c4-0000-4000-8000-000000000000',
  token: 'Zm9yIGV4YW1wbGU6IDMyIHJhbmRvbSBieXRlcyBoZXI',
  file: 'docs.js',
}

/** The same for one route, before those of schemas. */
export const exampleParametersOf: Partial<Record<RouteName, Record<string, ParameterValue>>> = {
  getAuctionPage: { id: 42 },
  getTokenPage: { token: wrappedNative },
  getTopHolders: { token: wrappedNative },
  getConsoleFile: { file: 'index.js' },
  getAppData: { hash: appDataHash },
  putAppDataByHash: { hash: appDataHash },
}
