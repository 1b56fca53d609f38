import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { findDebugReport } from '#tools/demo/printTimeline.ts'
import { postSwap, waitForStatus } from '#tools/demo/swap.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { codeReturning, hostileCode } from '../../helpers/chain/hostileCode.ts'
import { buildHookDocument } from '../../helpers/chain/permitToken.ts'
import { deployToken, mintToken } from '../../helpers/chain/uniswapV2.ts'
import { countAuctionsToFill } from '../../helpers/hostile/countAuctionsToFill.ts'
import { postSignedOrder } from '../../helpers/orders/postSignedOrder.ts'
import { signOrder } from '../../helpers/orders/signOrder.ts'
import { type SharedStack, useSharedStack } from '../../helpers/stack/useSharedStack.ts'

type Misbehaviour = keyof typeof hostileCode

const misbehaviours: Misbehaviour[] = [
  'invalid opcode',
  'undefined opcode',
  'bad jump',
  'stack underflow',
  'return data out of bounds',
  'infinite loop',
  'return bomb',
  'recursion',
]
/** `isValidSignature(bytes32,bytes)` returns its own selector. */
const acceptingCode = codeReturning(0x1626ba7en << 224n)
/** Time for an honest order beside all of them. */
const fillTimeoutMs = 60_000
/** It fills in so many auctions; it took one before any of them was there. */
const maxAuctionsToFill = 10

let stack: SharedStack
let honest: Trader
let strangerKey: Hex

beforeAll(async () => {
  stack = await useSharedStack()
  honest = connectTrader(stack.info, stack.info.accounts[0]?.privateKey as Hex)
  strangerKey = stack.info.accounts[1]?.privateKey as Hex
  await honest.approveRelayer(token('WETH').address)
  await connectTrader(stack.info, strangerKey).approveRelayer(token('WETH').address)
})
afterAll(() => stack?.stop())

const token = (symbol: string) => {
  const found = stack.info.tokens[symbol]
  if (!found) throw new Error(`no token ${symbol}`)
  return found
}
const addressOf = (group: number, index: number): Address => `0xbad${group}${index.toString(16).padStart(36, '0')}`
const turn = (address: Address, name: Misbehaviour) => stack.chain.setCode({ address, bytecode: hostileCode[name] })

/** Gives an account that is yet to get its code wrapped native tokens, which the vault relayer may move. */
const fundWallet = async (wallet: Address): Promise<void> => {
  const { address: to } = token('WETH')
  const args = [stack.info.contracts.vaultRelayer as Address, maxUint256] as const
  await stack.chain.setBalance({ address: wallet, value: parseUnits('1', 18) })
  await stack.chain.impersonateAccount({ address: wallet })
  await sendFrom(stack.chain, wallet, { to, value: 10_000n })
  await sendFrom(stack.chain, wallet, {
    to,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }),
  })
}

/** Fills an order of the honest trader; returns the auctions that it took. */
const fillHonestOrder = async (): Promise<number> => {
  const [sellToken, buyToken] = [token('WETH'), token('USDC')]
  const uid = await postSwap(honest, { kind: 'sell', sellToken, buyToken, amount: parseUnits('0.05', 18) })
  await waitForStatus(honest, uid, 'fulfilled', fillTimeoutMs)
  return countAuctionsToFill(stack.info, uid)
}

/** Waits until the newest event of each order says so. */
const expectReasons = async (uids: readonly string[], reasons: readonly string[]): Promise<void> => {
  const read = () =>
    Promise.all(uids.map(async (uid) => (await findDebugReport(stack.info, uid)).events.at(-1)?.reason ?? 'ready'))
  const deadline = Date.now() + 90_000
  for (;;) {
    const found = await read()
    if (found.every((reason) => reasons.includes(reason))) return
    if (Date.now() > deadline) return expect(found).toEqual(uids.map(() => expect.toBeOneOf([...reasons])))
    await sleep(500)
  }
}

test('tokens that misbehave after their orders were accepted exclude only those orders', async () => {
  const uids: string[] = []
  for (const [i, name] of misbehaviours.entries()) {
    const sellToken = await deployToken(stack.chain, `T${i}`)
    const stranger = connectTrader(stack.info, strangerKey)
    await mintToken(stack.chain, sellToken, stranger.address, 10n ** 30n)
    await stranger.approveRelayer(sellToken)
    const terms = { sellToken, buyToken: token('USDC').address, sellAmount: 1_000n, buyAmount: 1n }
    uids.push(await postSignedOrder(stack.info, strangerKey, terms))
    await turn(sellToken, name)
  }
  expect(await fillHonestOrder()).toBeLessThanOrEqual(maxAuctionsToFill)
  await expectReasons(uids, ['insufficient_balance'])
})

test('wallets that misbehave after their signatures were accepted exclude only their own orders', async () => {
  const uids: string[] = []
  for (const [i, name] of misbehaviours.entries()) {
    const wallet = addressOf(2, i)
    await fundWallet(wallet)
    await stack.chain.setCode({ address: wallet, bytecode: acceptingCode })
    const terms = {
      sellToken: token('WETH').address,
      buyToken: token('USDC').address,
      sellAmount: 1_000n,
      buyAmount: 1n,
    }
    const creation = { ...(await signOrder(stack.info, strangerKey, terms)), from: wallet, receiver: wallet }
    const response = await fetch(`${stack.info.baseUrl}/${stack.info.network}/api/v1/orders`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...creation, signingScheme: 'eip1271', signature: '0x1234' }),
    })
    const uid = (await response.json()) as string
    expect({ status: response.status, uid }).toEqual({ status: 201, uid: expect.stringMatching(/^0x/) })
    uids.push(uid)
    await turn(wallet, name)
  }
  expect(await fillHonestOrder()).toBeLessThanOrEqual(maxAuctionsToFill)
  // an accepted signature is checked again after twenty blocks
  await stack.chain.mine({ blocks: 25 })
  expect(await fillHonestOrder()).toBeLessThanOrEqual(maxAuctionsToFill)
  await expectReasons(uids, ['invalid_signature'])
})

test('hooks that misbehave after their orders were accepted delay no other order', async () => {
  for (const [i, name] of misbehaviours.entries()) {
    const target = addressOf(3, i)
    await stack.chain.setCode({ address: target, bytecode: codeReturning(1n) })
    await postSignedOrder(stack.info, strangerKey, {
      sellToken: token('WETH').address,
      buyToken: token('USDC').address,
      sellAmount: 1_000n + BigInt(i),
      buyAmount: parseUnits('1000', 6),
      appData: buildHookDocument({ pre: [{ target, callData: '0x12345678', gasLimit: 500_000n }] }),
    })
    await turn(target, name)
  }
  expect(await fillHonestOrder()).toBeLessThanOrEqual(maxAuctionsToFill)
})
