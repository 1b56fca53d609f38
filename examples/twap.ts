// A TWAP of a Safe with one owner, which sells its wrapped native token in two parts. The order book places each part in its time.
// On a public network leave ten minutes or more between parts.
//     SAFE=0x… PERIOD=600 node examples/twap.ts
import { domainSeparator, encodeFunctionData, type Hex, keccak256, pad, parseAbi, toHex } from 'viem'
import { hashParams } from '../shared/strategies/hashParams.ts'
// the same addresses on every network
import { publicContracts } from '../shared/strategies/publicContracts.ts'
import { encodeTwap } from '../shared/strategies/twap.ts'
import { account, api, findToken, network, request, send } from './client.ts'

const safe = process.env.SAFE as Hex
const period = BigInt(process.env.PERIOD ?? 600)
const parts = 2n
const sellAmount = 10_000_000_000_000_000n
const { fallbackHandler } = publicContracts

const abi = parseAbi([
  'struct Params { address handler; bytes32 salt; bytes staticInput; }',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool)',
  'function setFallbackHandler(address handler)',
  'function setDomainVerifier(bytes32 domainSeparator, address verifier)',
  'function approve(address spender, uint256 amount)',
  'function createWithContext(Params params, address factory, bytes data, bool dispatch)',
])

/** Makes the Safe call a contract. An owner that sends the transaction itself signs by its address, with 1 as `v`. */
const callFromSafe = (to: Hex, data: Hex): Promise<Hex> => {
  const nothing = `0x${'00'.repeat(20)}` as const
  const signature = `${pad(account.address)}${'00'.repeat(32)}01` as const
  const args = [to, 0n, data, 0, 0n, 0n, 0n, nothing, nothing, signature] as const
  return send({ to: safe, data: encodeFunctionData({ abi, functionName: 'execTransaction', args }), value: 0n })
}

// the price of a part, and the domain of orders
const buyToken = (await findToken('USDC')) as Hex
const { signable, amounts } = await request(api('quote'), {
  ...{ sellToken: network.wrappedNative, buyToken, from: account.address, kind: 'sell' },
  sellAmountBeforeFee: sellAmount.toString(),
})
const minPartLimit = (BigInt(amounts.afterPartnerFee.buyAmount) * 95n) / 100n

// once for each Safe: the registry verifies its orders, and the vault relayer may move the token
const separator = domainSeparator({ domain: signable.typedData.domain })
const verifier = [separator, network.composableCow] as const
await callFromSafe(safe, encodeFunctionData({ abi, functionName: 'setFallbackHandler', args: [fallbackHandler] }))
await callFromSafe(safe, encodeFunctionData({ abi, functionName: 'setDomainVerifier', args: verifier }))
const approval = [network.vaultRelayer, sellAmount * parts] as const
await callFromSafe(network.wrappedNative, encodeFunctionData({ abi, functionName: 'approve', args: approval }))

// it starts when it is mined, and each part is valid until the next one
const staticInput = encodeTwap({
  ...{ sellToken: network.wrappedNative as Hex, buyToken, receiver: safe, partSellAmount: sellAmount, minPartLimit },
  ...{ t0: 0n, n: parts, t: period, span: 0n, appData: keccak256(toHex('{}')) },
})
const params = { handler: publicContracts.twap, salt: keccak256(toHex(Date.now())), staticInput } as const
const creation = [params, publicContracts.startTimes, '0x', true] as const
await callFromSafe(
  network.composableCow,
  encodeFunctionData({ abi, functionName: 'createWithContext', args: creation }),
)

const hash = hashParams(params)
for (let seen = ''; ; await new Promise((resolve) => setTimeout(resolve, 1_000))) {
  // it is known once the block of its event is indexed
  const { state, evaluation, progress } = await request(api(`conditional_orders/${safe}/${hash}`)).catch(() => ({}))
  const line = `${state} ${evaluation?.reason} ${progress?.filled} of ${parts}`
  if (state !== undefined && line !== seen) console.log(line)
  if (state === 'ended') break
  seen = line
}
