// A limit order that may be filled in parts, at 5 % above the market for an hour, and its cancellation.
//     node examples/limit.ts
import { account, api, baseUrl, findToken, network, request, send } from './client.ts'

const now = Math.floor(Date.now() / 1_000)
const { signable, amounts, funding } = await request(api('quote'), {
  sellToken: network.wrappedNative,
  buyToken: await findToken('USDC'),
  from: account.address,
  kind: 'sell',
  sellAmountAfterFee: '100000000000000000',
  validTo: now + 3_600,
})
for (const call of funding.calls) await send(call)

// a limit order changes what the owner signs: the buy amount, and that parts may be filled
const buyAmount = (BigInt(amounts.afterPartnerFee.buyAmount) * 105n) / 100n
const order = { ...signable.order, buyAmount: buyAmount.toString(), partiallyFillable: true }
const signature = await account.signTypedData({ ...signable.typedData, message: order })
const terms = { ...order, fullAppData: signable.fullAppData, from: account.address, signingScheme: 'eip712' }

// a dry run states what would happen, without placing anything
const { fillable, checks } = await request(api('orders/simulate'), terms)
const failed = checks.filter(({ status }: { status: string }) => status === 'fail')
console.log('fillable now:', fillable, JSON.stringify(failed))

const uid = await request(api('orders'), { ...terms, signature })
console.log((await request(api(`orders/${uid}`))).status, uid)

// cancellations are signed as well, one message for up to a hundred orders
const cancellation = await account.signTypedData({
  domain: signable.typedData.domain,
  types: { OrderCancellations: [{ name: 'orderUids', type: 'bytes[]' }] },
  primaryType: 'OrderCancellations',
  message: { orderUids: [uid] },
})
await fetch(baseUrl + api('orders'), {
  method: 'DELETE',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ orderUids: [uid], signature: cancellation, signingScheme: 'eip712' }),
})
console.log((await request(api(`orders/${uid}`))).status, uid)
