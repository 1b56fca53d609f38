// Sells ether without wrapping or approving it: one transaction to EthFlow, which places the order and holds the ether.
//     node examples/eth.ts
import { encodeFunctionData, parseAbi } from 'viem'
import { account, api, findToken, follow, network, request, send } from './client.ts'

const ethFlowAbi = parseAbi([
  'struct Data { address buyToken; address receiver; uint256 sellAmount; uint256 buyAmount; bytes32 appData; uint256 feeAmount; uint32 validTo; bool partiallyFillable; int64 quoteId; }',
  'function createOrder(Data order) payable returns (bytes32 orderHash)',
])
const { id, quote, amounts } = await request(api('quote'), {
  sellToken: network.wrappedNative,
  buyToken: await findToken('USDC'),
  from: account.address,
  receiver: account.address,
  kind: 'sell',
  sellAmountBeforeFee: '100000000000000000',
  signingScheme: 'eip1271',
  onchainOrder: true,
})
const { sellAmount, buyAmount } = amounts.afterSlippage
const order = {
  buyToken: quote.buyToken,
  receiver: account.address,
  sellAmount: BigInt(sellAmount),
  buyAmount: BigInt(buyAmount),
  appData: quote.appDataHash,
  feeAmount: 0n,
  validTo: quote.validTo,
  partiallyFillable: false,
  quoteId: BigInt(id),
}
const data = encodeFunctionData({ abi: ethFlowAbi, functionName: 'createOrder', args: [order] })
const hash = await send({ to: network.ethFlow, data, value: sellAmount })
console.log('placed by', hash)

// the order book lists it under its user within a block
const findUid = async (): Promise<string> => {
  for (;;) {
    const orders = await request(api(`account/${account.address}/orders`))
    const placed = orders.find((known: { quoteId: number }) => known.quoteId === id)
    if (placed) return placed.uid
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
}
const placed = await follow(await findUid())
console.log(placed.status, placed.uid, placed.executedBuyAmount)
