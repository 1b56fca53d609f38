import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256, parseAbi, zeroAddress } from 'viem'
import { nativeSentinel } from '#shared/networks.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { uniswapV2Abi } from '../../../functions/solver/pools/uniswapV2Abi.ts'
import { deployTestContract, type OddToken, provider } from '../chain/oddContracts.ts'
import { buildHookDocument } from '../chain/permitToken.ts'
import type { Dice } from '../hostile/createDice.ts'
import { patienceMs } from '../patienceMs.ts'
import { createTokenlessAccount } from './createTrader.ts'
import { drawTheoremCase } from './drawTheoremCase.ts'
import { signOrder } from './signOrder.ts'

/** Manners of the token, which no other account trades. */
const manners = ['', '', '', 'paused', 'blocks the settlement contract', 'taxes its pool', 'needs a reset'] as const

/** An order that is placed directly after its dry run. */
export type TheoremOrder = {
  /** what may be wrong with it; empty: nothing but its token, price and size */
  fault: string
  /** the same with token, price and size */
  described: string
  fillable: boolean
  /** of the failed checks */
  reasons: readonly string[]
  /** undefined: refused */
  uid: Hex | undefined
}

type DryRun = { fillable: boolean; fillableNow: object | null; checks: { status: string; reason?: string }[] }

const walletAbi = parseAbi(['function approve(address token, address spender)'])

/**
 * Draws an order of a token that no other account trades, gives its owner what it needs, and places it after a dry run.
 * Where fees that swing decide, the limit is moved: fees are a few percent of what it sells at most.
 */
export const createTheoremPlacer = ({ chain, info }: Pick<Stack, 'chain' | 'info'>, dice: Dice) => {
  const { settlement, vaultRelayer, wrappedNative, hooksTrampoline } = info.contracts
  const post = async (path: string, body: object) => {
    const response = await fetch(`${info.baseUrl}/${info.network}/api/v1/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, answer: (await response.json()) as unknown }
  }
  const call = (from: Address, to: Address, abi: readonly unknown[], functionName: string, args: readonly unknown[]) =>
    sendFrom(chain, from, { to, data: encodeFunctionData({ abi, functionName, args } as never) })
  const approve = (token: Address, owner: Address, spender: Address, amount: bigint) =>
    call(owner, token, erc20Abi, 'approve', [spender, amount])

  /** What the pool of a token pays for an amount. */
  const computeOutput = async (token: OddToken, sellsToken: boolean, amount: bigint): Promise<bigint> => {
    const { address } = token
    const pair = { address: token.pool, abi: uniswapV2Abi } as const
    const [reserve0, reserve1] = await chain.readContract({ ...pair, functionName: 'getReserves' })
    const isFirst = address.toLowerCase() < wrappedNative.toLowerCase() === sellsToken
    const [reserveIn, reserveOut] = isFirst ? [reserve0, reserve1] : [reserve1, reserve0]
    return (amount * 997n * reserveOut) / (reserveIn * 1_000n + amount * 997n)
  }
  const give = async (token: OddToken, sellToken: Address, to: Address, amount: bigint) => {
    if (amount === 0n) return
    if (sellToken === token.address) return token.give(to, amount)
    await sendFrom(chain, provider, { to: wrappedNative, value: amount })
    await call(provider, wrappedNative, erc20Abi, 'transfer', [to, amount])
  }
  const deployReceiver = async (fault: string): Promise<Address> => {
    const wallet = await deployTestContract(chain, 'PickyWallet', [zeroAddress, false, fault === 'refusing receiver'])
    return fault === 'proxy receiver' ? deployTestContract(chain, 'OtherProxy', [wallet]) : wallet
  }
  const setManner = async (token: OddToken, manner: string) => {
    if (manner === 'paused') await token.set('setPaused', true)
    if (manner === 'blocks the settlement contract') await token.set('setBlocked', settlement, true)
    if (manner === 'taxes its pool') await token.set('setTaxed', token.pool)
    if (manner === 'needs a reset') await token.set('setNeedsReset', true)
  }

  /** Draws until the fault is one of this chain: those of rhythms and of burnt gas are the simulated chain's. */
  const draw = (): ReturnType<typeof drawTheoremCase> => {
    const drawn = drawTheoremCase(dice)
    return /unsteady|burning/.test(drawn.fault) ? draw() : drawn
  }

  return async (token: OddToken): Promise<() => Promise<TheoremOrder>> => {
    const { fault, sellsToken, kind, partiallyFillable, ...drawn } = draw()
    const manner = fault === '' ? dice.pick(manners) : ''
    const ether = drawn.ether < 3n * 10n ** 16n ? drawn.ether * 100n : drawn.ether
    const amount = sellsToken ? await computeOutput(token, false, ether) : ether
    const output = await computeOutput(token, sellsToken, amount)
    const shift = drawn.limitBps > 10_000 ? 150 : drawn.limitBps > 9_300 ? -700 : 0
    const [sellToken, buyToken] = sellsToken ? [token.address, wrappedNative] : [wrappedNative, token.address]
    const account = await createTokenlessAccount({ chain })
    const isWallet = fault.endsWith('wallet')
    const asker = fault === 'rejecting wallet' ? vaultRelayer : zeroAddress
    const owner = isWallet ? await deployTestContract(chain, 'PickyWallet', [asker, false, false]) : account.address
    const part = fault.startsWith('no ') ? 0n : fault.startsWith('half ') ? amount / 2n : amount
    const paysEther = sellsToken && drawn.paysEther

    let appData: string | undefined
    let receiver: Address = owner
    if (fault === 'blocked receiver') {
      receiver = (await createTokenlessAccount({ chain })).address
      await token.set('setBlocked', receiver, true)
    }
    if (fault === 'proxy receiver' || fault === 'refusing receiver') receiver = await deployReceiver(fault)
    if (fault === 'odd receiver') receiver = dice.pick([settlement, vaultRelayer, hooksTrampoline, sellToken])
    if (fault === 'partner fee')
      appData = JSON.stringify({ metadata: { partnerFee: { volumeBps: dice.between(1, 90), recipient: owner } } })
    if (fault === 'required wrapper')
      appData = JSON.stringify({ metadata: { wrappers: [{ address: settlement.toLowerCase(), data: '0x' }] } })
    if (fault === 'failing hook') {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [owner, maxUint256] })
      appData = buildHookDocument({ post: [{ target: token.address, callData: data, gasLimit: 150_000n }] })
    }
    if (fault.startsWith('funds by ')) {
      // the hook spends what another account allows the trampoline
      const source = (await createTokenlessAccount({ chain })).address
      await give(token, sellToken, source, amount)
      if (fault === 'funds by a hook') await approve(sellToken, source, hooksTrampoline, maxUint256)
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [source, owner, amount] })
      const target = sellToken.toLowerCase() as Address
      appData = buildHookDocument({ pre: [{ target, callData: data, gasLimit: 150_000n }] })
    } else await give(token, sellToken, owner, fault.endsWith(' funds') ? part : amount)
    const allowed = fault.endsWith(' allowance') ? part : maxUint256
    if (isWallet) await call(account.address, owner, walletAbi, 'approve', [sellToken, vaultRelayer])
    else if (allowed > 0n) await approve(sellToken, owner, vaultRelayer, allowed)
    await setManner(token, manner)

    const terms = {
      ...{ sellToken, sellAmount: amount, kind, partiallyFillable, receiver },
      validTo: Math.floor(Date.now() / 1_000) + 1_800,
      buyToken: paysEther ? nativeSentinel : buyToken,
      buyAmount: (output * BigInt(drawn.limitBps + shift)) / 10_000n,
      ...(appData ? { appData } : {}),
    }
    const signed = await signOrder(info, account.privateKey, terms)
    const scheme = isWallet ? 'eip1271' : fault === 'not presigned' ? 'presign' : undefined
    const body = scheme
      ? { ...signed, from: owner, signingScheme: scheme, signature: isWallet ? '0x12' : '0x' }
      : signed
    return async () => {
      let dryRun: DryRun | undefined
      const isCertain = async () => {
        const { status, answer } = await post('orders/simulate', body)
        if (status === 200) dryRun = answer as DryRun
        return dryRun !== undefined && !(dryRun.fillable && dryRun.fillableNow === null)
      }
      await waitUntil('a dry run that reads everything', isCertain, { timeoutMs: patienceMs })
      const { status, answer } = await post('orders', body)
      return {
        fault,
        described: `${fault || manner || 'no fault'}: ${kind}, ${sellsToken ? 'sells' : 'buys'} tokens for ${ether} wei at ${drawn.limitBps + shift}`,
        fillable: dryRun?.fillable ?? false,
        reasons: dryRun?.checks.flatMap(({ status, reason }) => (status === 'fail' ? [reason ?? 'unknown'] : [])) ?? [],
        uid: status === 201 ? (answer as Hex) : undefined,
      }
    }
  }
}
