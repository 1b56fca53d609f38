import { type Address, encodeFunctionData, type Hex, maxUint256, parseEther, toHex, zeroHash } from 'viem'
import { readCompiledContract } from '#tools/stack/chain/contracts/readCompiledContract.ts'
import type { DevAccount } from '#tools/stack/chain/devAccounts.ts'
import { buildEthFlowOrder, ethFlowAbi } from '../../chain/ethFlow.ts'
import { createTrader } from '../../orders/createTrader.ts'
import { signOrder } from '../../orders/signOrder.ts'
import type { CreateActor } from '../arena.ts'
import { deployHostile, misbehaviours } from '../hostileContracts.ts'

/** Orders with hooks that fail or burn gas, documents that are costly to read, absurd on-chain orders and junk events. */
export const absurdOrders: CreateActor = (arena, dice) => {
  let account: DevAccount
  let hook: Address
  let emitter: Address
  const { info, chain } = arena.stack

  const postHooked = async () => {
    const act = dice.pick(Object.keys(misbehaviours) as (keyof typeof misbehaviours)[])
    const gasLimit = dice.pick(['21000', '300000', '5000000', '18446744073709551615'])
    const call = { target: hook, callData: toHex(misbehaviours[act], { size: 1 }), gasLimit }
    const [pre, post] = dice.pick([
      [[call], []],
      [[], [call]],
      [Array(8).fill(call), []],
    ]) as [unknown[], unknown[]]
    await postWith(`hook ${act}`, JSON.stringify({ metadata: { hooks: { pre, post } } }))
  }
  const postBomb = () =>
    postWith(
      'document bomb',
      dice.pick([
        `{"metadata":${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}}`,
        `{"metadata":${'['.repeat(4_000)}${']'.repeat(4_000)}}`,
        JSON.stringify({
          metadata: { hooks: { pre: Array(60).fill({ target: hook, callData: '0x', gasLimit: '1' }) } },
        }),
        JSON.stringify({ metadata: { partnerFee: { bps: 1e308, recipient: account.address }, __proto__: { a: 1 } } }),
        `"${'\\u0000'.repeat(1_000)}"`,
      ]),
    )
  const postWith = async (what: string, appData: string) => {
    const sellAmount = parseEther('0.001') + BigInt(dice.between(0, 10 ** 9))
    const terms = { sellToken: arena.token('DAI'), buyToken: arena.token('USDC'), sellAmount, buyAmount: 1n, appData }
    const { status } = await arena.request('POST', 'orders', await signOrder(info, account.privateKey, terms))
    arena.count(`${what} → ${status}`)
  }
  const placeOnChain = async () => {
    const order = buildEthFlowOrder({
      buyToken: dice.pick([arena.token('USDC'), hook, info.contracts.settlement]),
      receiver: dice.pick([account.address, info.contracts.settlement]),
      sellAmount: dice.pick([1n, 1_000n, parseEther('0.01')]) + BigInt(dice.between(0, 10 ** 6)),
      buyAmount: dice.pick([0n, 1n, maxUint256]),
      validTo: dice.pick([0xffffffff, Math.floor(Date.now() / 1_000) + 120]),
      quoteId: dice.pick([0n, -1n, 2n ** 63n - 1n]),
      partiallyFillable: dice.chance(0.5),
    })
    const data = encodeFunctionData({ abi: ethFlowAbi, functionName: 'createOrder', args: [order] })
    await arena.send(account.address, info.contracts.ethFlow, data, order.sellAmount)
    arena.count('absurd order on-chain')
  }
  const emitJunk = async () => {
    const { abi } = readCompiledContract('LogEmitter')
    const logs = await chain.getLogs({ address: info.contracts.settlement, fromBlock: 'earliest' })
    const signature = dice.pick([zeroHash, ...logs.map(({ topics }) => topics[0] as Hex)])
    const data = toHex(BigInt(dice.between(0, 10 ** 9)), { size: dice.pick([32, 64, 320]) })
    const call = encodeFunctionData({ abi, functionName: 'emitLog', args: [signature, toHex(1, { size: 32 }), data] })
    await arena.send(account.address, emitter, call)
    arena.count('junk event')
  }
  return {
    name: 'absurd orders',
    pauseMs: [2_000, 5_000],
    prepare: async () => {
      account = await createTrader(arena.stack)
      hook = await deployHostile(chain, account.address, 'HostileHook')
      emitter = await deployHostile(chain, account.address, 'LogEmitter')
    },
    act: () => dice.pick([postHooked, postHooked, postBomb, placeOnChain, emitJunk])(),
  }
}
