// A market order: quote, approve what is missing, sign, place, follow. Optional: a partner fee and the code of a referrer.
//     node examples/trade.ts
//     PARTNER=0x… REFERRER=FRIENDS node examples/trade.ts
import { account, api, findToken, follow, network, request, send } from './client.ts'

const { PARTNER, REFERRER } = process.env
const appData = JSON.stringify({
  appCode: 'example',
  metadata: {
    ...(PARTNER ? { partnerFee: { recipient: PARTNER, volumeBps: 10 } } : {}),
    ...(REFERRER ? { referrer: { code: REFERRER } } : {}),
  },
})
const { id, signable, funding } = await request(api('quote'), {
  sellToken: network.wrappedNative,
  buyToken: await findToken('USDC'),
  from: account.address,
  kind: 'sell',
  sellAmountBeforeFee: '100000000000000000',
  appData,
})

// what the owner lacks: here wrapping and the approval, as transactions
for (const call of funding.calls) await send(call)

const signature = await account.signTypedData(signable.typedData)
const uid = await request(api('orders'), {
  ...signable.order,
  fullAppData: signable.fullAppData,
  quoteId: id,
  from: account.address,
  signingScheme: 'eip712',
  signature,
})
const order = await follow(uid)
console.log(order.status, uid, order.executedBuyAmount)
