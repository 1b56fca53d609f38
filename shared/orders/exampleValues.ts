import { networks } from '../networks.ts'

const { chainId, wrappedNative, usdReference } = networks.sepolia
/** An account of the local stack. */
const account = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const signature = `0x${'1c'.repeat(65)}`
const pair = { sellToken: wrappedNative, buyToken: usdReference.address }

/** Values of several examples in the OpenAPI document. UIDs, signatures, times and nonces only show their form. */
export const exampleValues = {
  account,
  signature,
  pair,
  tokens: [wrappedNative, usdReference.address],
  uid: `0x${'8f'.repeat(32)}${account.slice(2)}6b49d200`,
  fullAppData: '{"appCode":"example","metadata":{}}',
  /** keccak-256 of `fullAppData` */
  appDataHash: '0x0a3c48026cc6e8b1fce38a977623a8a05211b3e43af6a25f73516fcdbe741681',
  cancellation: { signature, signingScheme: 'eip712' },
  signedMessage: { chainId, nonce: `0x${'5e'.repeat(32)}`, deadline: 1_795_300_000, signature },
  draft: {
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
  },
}
