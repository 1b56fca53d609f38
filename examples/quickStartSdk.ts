// The quick start of /docs with the SDK: each step is a snippet of the page, and a test runs them as one program.

// step: setUp
import {
  type ApiBaseUrls,
  OrderBookApi,
  OrderKind,
  OrderSigningUtils,
  type SupportedChainId,
  TradingSdk,
} from '@cowprotocol/cow-sdk'
import { ViemAdapter } from '@cowprotocol/sdk-viem-adapter'
import { createPublicClient, defineChain, http, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const chain = defineChain({
  id: 11155111,
  name: 'Sepolia',
  nativeCurrency: { name: 'ETH', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: ['http://localhost:8545'] } },
})

const WETH = '0xfff9976782d46cc05630d1f6ebab18b2324d6b14'
const USDC = '0x1c7d4b196cb0c7b01d743fbc6116a902379c7238'

// public key of the local stack: never use it on a public network
const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const signer = privateKeyToAccount(key)
const provider = createPublicClient({ chain, transport: http() })
const adapter = new ViemAdapter({ provider, signer })

const chainId: SupportedChainId = Number(chain.id)
const baseUrls = { [chainId]: 'http://localhost:8787/sepolia' } as Partial<ApiBaseUrls> as ApiBaseUrls
const contracts = { settlementContractOverride: { [chainId]: '0x9008d19f58aabd9ed0d60971565aa8510560ab41' } as const }
const orderBookApi = new OrderBookApi({ chainId, baseUrls })
const sdk = new TradingSdk({ chainId, appCode: 'quick start' }, { orderBookApi }, adapter)

// step: approve
const txHash = await sdk.approveCowProtocol({
  tokenAddress: WETH,
  amount: parseEther('1000'),
  vaultRelayerAddress: '0xc92e8bdf79f0507f65a392b0ab4667716bfe0110',
})
await provider.waitForTransactionReceipt({ hash: txHash as `0x${string}` })

// step: quote
const { quoteResults } = await sdk.getQuote({
  kind: OrderKind.SELL,
  sellToken: WETH,
  sellTokenDecimals: 18,
  buyToken: USDC,
  buyTokenDecimals: 6,
  amount: parseEther('0.1').toString(),
  ...contracts,
})
console.log(quoteResults.amountsAndCosts.afterSlippage)

// step: sign
const { orderToSign, appDataInfo, quoteResponse } = quoteResults
const signed = await OrderSigningUtils.signOrder(orderToSign, chainId, adapter.signer, contracts)

// step: submit
const uid = await orderBookApi.sendOrder({
  ...orderToSign,
  appData: appDataInfo.fullAppData,
  from: signer.address,
  quoteId: quoteResponse.id,
  ...signed,
})
console.log(uid)

// step: follow
let status = 'open'
while (status === 'open') {
  await new Promise((resolve) => setTimeout(resolve, 1000))
  status = (await orderBookApi.getOrder(uid)).status
  console.log(status)
}

// step: cancel
await sdk.offChainCancelOrder({ orderUid: uid, ...contracts })
