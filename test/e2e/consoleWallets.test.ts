import type { Page } from 'playwright-core'
import {
  type Address,
  decodeFunctionData,
  encodeFunctionData,
  encodeFunctionResult,
  erc20Abi,
  type Hex,
  namehash,
  parseAbi,
  parseEther,
  parseUnits,
  zeroAddress,
} from 'viem'
import { beforeAll, describe, expect } from 'vitest'
import { readHooks } from '#shared/hooks/readHooks.ts'
import { nativeSentinel } from '#shared/networks.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { buildEthFlowOrder, createEthFlowOrder, uidOfEthFlow } from '../helpers/chain/ethFlow.ts'
import { deployPermitToken, type PermitToken } from '../helpers/chain/permitToken.ts'
import { deploySafe } from '../helpers/chain/safe.ts'
import { createPool } from '../helpers/chain/uniswapV2.ts'
import {
  browserTest,
  type ConsoleOptions,
  expectAccessible,
  expectNoSidewaysScroll,
  hasBrowser,
} from '../helpers/console/browser.ts'
import { createSafeHost, safeOrigin } from '../helpers/console/createSafeHost.ts'
import { createWallet, rejection, type TestWallet } from '../helpers/console/createWallet.ts'
import { readDesk } from '../helpers/console/readDesk.ts'
import { setUpConsole } from '../helpers/console/setUpConsole.ts'
import { createAccounts } from '../helpers/orders/createTrader.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { useSharedStack } from '../helpers/stack/useSharedStack.ts'

const own = setUpConsole(() => useSharedStack())
const { token } = own
let permitToken: PermitToken
let refunded: Awaited<ReturnType<typeof placeExpiring>>

beforeAll(async () => {
  if (!hasBrowser) return
  permitToken = await deployPermitToken(own.stack.chain)
  await permitToken.mint(devAccounts[7].address, parseUnits('1000000', 18))
  await createPool(own.stack.chain, [
    [permitToken.address, parseUnits('1000000', 18)],
    [token('USDC'), parseUnits('1000000', 6)],
  ])
  refunded = await placeExpiring()
})

const newAccount = async () => {
  const [account] = await createAccounts(own.stack, 1)
  if (!account) throw new Error('no account')
  return account
}
/** An order of a new account that sells the native token and expires soon; the last test needs it expired. */
const placeExpiring = async () => {
  const { address, privateKey } = await newAccount()
  const { timestamp } = await own.stack.chain.getBlock()
  const order = buildEthFlowOrder({
    buyToken: token('USDC'),
    receiver: address,
    sellAmount: parseEther('3'),
    buyAmount: parseUnits('400000', 6),
    validTo: Math.max(Number(timestamp), Math.floor(Date.now() / 1_000)) + 25,
  })
  await createEthFlowOrder(own.stack.chain, address, order)
  return { address, privateKey, uid: uidOfEthFlow(order), validTo: order.validTo }
}
const read = (uid: string) => own.book.get<Record<string, unknown>>(`/orders/${uid}`)
const balanceOf = (of: Address, holder: Address): Promise<bigint> =>
  own.stack.chain.readContract({ address: of, abi: erc20Abi, functionName: 'balanceOf', args: [holder] })
const allowanceOf = (of: Address, holder: Address): Promise<bigint> =>
  own.stack.chain.readContract({
    address: of,
    abi: erc20Abi,
    functionName: 'allowance',
    args: [holder, own.stack.info.contracts.vaultRelayer],
  })

/** The trade page with a connected wallet. */
const openConnected = async (
  query: string,
  privateKey: Hex,
  prepare: (wallet: TestWallet) => void = () => undefined,
  options: ConsoleOptions = {},
) => {
  const path = `/?network=${own.stack.info.network}${query}`
  const wallet = createWallet(own.stack.info, privateKey)
  prepare(wallet)
  const opened = await own.open(path, { ...options, prepare: wallet.install })
  const desk = readDesk(opened.page)
  await desk.connect(wallet.name)
  return { ...opened, wallet, desk }
}
const countAsked = (wallet: TestWallet, method: string) => wallet.asked.filter((asked) => asked === method).length
const sizes = [360, 1_920].flatMap((width) => [false, true].map((dark) => ({ width, dark })))

describe('a token with approvals by signature', () => {
  const sellOf = (amount: string) => `&sell=${permitToken.address}&buy=${token('USDC')}&amount=${amount}`

  browserTest('is sold to the fill by two signatures and no transaction', async () => {
    const { address, privateKey } = await newAccount()
    await permitToken.mint(address, parseUnits('300', 18))
    const { page, desk, wallet, close } = await openConnected(sellOf('100'), privateKey)
    await desk.panel('Quote').getByText('Signature instead of an approval transaction').waitFor()
    await expectAccessible(page)
    const uid = await desk.place('Swap 100 PERMIT')
    await desk.seeStatus('Filled')
    const order = await read(uid)
    expect(readHooks((order.interactions as { pre: never }).pre)).toMatchObject([{ target: permitToken.address }])
    expect(await permitToken.balanceOf(address)).toBe(parseUnits('200', 18))
    expect(await permitToken.allowance(address, own.stack.info.contracts.vaultRelayer)).toBe(0n)
    expect(countAsked(wallet, 'eth_signTypedData_v4')).toBe(2)
    expect(countAsked(wallet, 'eth_sendTransaction')).toBe(0)

    // approved without limit: the next order needs no approval
    await desk.sellAmount.fill('50')
    await page.getByRole('radio', { name: /^Unlimited/ }).check()
    await desk.place('Swap 50 PERMIT')
    await desk.seeStatus('Filled')
    await desk.sellAmount.fill('25')
    await page.getByText('Signing is free; no transaction needed.').waitFor()
    await close()
  })

  browserTest('is approved by a transaction on request, and when it refuses the permit', async () => {
    const { address, privateKey } = await newAccount()
    await permitToken.mint(address, parseUnits('100', 18))
    const { desk, wallet, close } = await openConnected(sellOf('80'), privateKey)
    wallet.answers.eth_signTypedData_v4 = () => {
      throw rejection
    }
    await desk.button('Swap 80 PERMIT').click()
    await desk.seeAlert('You rejected the request in your wallet. Nothing was signed or sent.')
    // a signature of another key
    wallet.answers.eth_signTypedData_v4 = () => `0x${'11'.repeat(64)}1b`
    await desk.button('Swap 80 PERMIT').click()
    await desk.seeAlert(/^The token refused the signed approval/)
    delete wallet.answers.eth_signTypedData_v4
    await desk.button('Approve PERMIT').click()
    const uid = await desk.place('Swap 80 PERMIT')
    await desk.seeStatus('Filled')
    expect(await read(uid)).toMatchObject({ interactions: { pre: [] } })
    expect(countAsked(wallet, 'eth_sendTransaction')).toBe(1)
    await close()
  })

  browserTest('is approved by a transaction while an open order has its permit', async () => {
    const { address, privateKey } = await newAccount()
    await permitToken.mint(address, parseUnits('100', 18))
    const { page, desk, close } = await openConnected(`${sellOf('10')}&type=limit&price=5`, privateKey)
    const waiting = await desk.place('Sell 10 PERMIT')
    await desk.sellAmount.fill('20')
    await page.getByText(/^An open order of yours brings its own approval by signature/).waitFor()
    await desk.button('Approve PERMIT').waitFor()
    await expectAccessible(page)
    await desk.button('Cancel order').click()
    await desk.seeStatus('Cancelled')
    await desk.button('Approve by a transaction instead').waitFor()
    expect(await read(waiting)).toMatchObject({ status: 'cancelled' })
    await close()
  })

  browserTest.each(sizes)('fits and is accessible: %o', async (size) => {
    const { address, privateKey } = await newAccount()
    await permitToken.mint(address, parseUnits('100', 18))
    const { page, desk, close } = await openConnected(sellOf('80'), privateKey, undefined, size)
    await desk.button('Approve by a transaction instead').waitFor()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await close()
  })
})

const callAbi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function setPreSignature(bytes orderUid, bool signed)',
  'function deposit()',
  'struct Params { address handler; bytes32 salt; bytes staticInput; }',
  'function setFallbackHandler(address handler)',
  'function setDomainVerifier(bytes32 domainSeparator, address verifier)',
  'function createWithContext(Params params, address factory, bytes data, bool dispatch)',
  'function remove(bytes32 hash)',
])

type Call = { to: Address; data: Hex; value?: Hex }

/** Batches of the wallet, executed by a function. @returns the calls of each batch */
const answerBatches = (wallet: TestWallet, execute: (call: Call) => Promise<void>): Call[][] => {
  const batches: Call[][] = []
  const chain = `0x${own.stack.info.chainId.toString(16)}`
  wallet.answers.wallet_getCapabilities = () => ({ [chain]: { atomic: { status: 'supported' } } })
  wallet.answers.wallet_sendCalls = async ([request]) => {
    const { calls, atomicRequired, version, chainId } = request as Record<string, unknown>
    expect({ atomicRequired, version, chainId }).toEqual({ atomicRequired: true, version: '2.0.0', chainId: chain })
    batches.push(calls as Call[])
    for (const call of calls as Call[]) await execute(call)
    return { id: `batch ${batches.length}` }
  }
  wallet.answers.wallet_getCallsStatus = () => ({ status: 200 })
  return batches
}
const namesOf = (calls: Omit<Call, 'value'>[] = []) =>
  calls.map(({ data }) => decodeFunctionData({ abi: callAbi, data }).functionName)

describe('a wallet with batches', () => {
  browserTest('approves and signs an order by one confirmation', async () => {
    const { address, privateKey } = await newAccount()
    let batches: Call[][] = []
    const { page, desk, wallet, close } = await openConnected(
      `&sell=${token('WETH')}&buy=${token('USDC')}&amount=0.5`,
      privateKey,
      (installed) => {
        batches = answerBatches(installed, ({ to, data }) => sendFrom(own.stack.chain, address, { to, data }))
      },
    )
    await page.getByText('One transaction approves the tokens and signs the order.').waitFor()
    const uid = await desk.place('Swap 0.5 WETH')
    await desk.seeStatus('Filled')
    expect(await read(uid)).toMatchObject({ signingScheme: 'presign', owner: address })
    expect(batches.map(namesOf)).toEqual([['approve', 'setPreSignature']])
    expect(await allowanceOf(token('WETH'), address)).toBe(0n)
    expect(countAsked(wallet, 'eth_signTypedData_v4')).toBe(0)
    await close()
  })

  browserTest('wraps the native token, approves and signs an order by one confirmation', async () => {
    const { address, privateKey } = await newAccount()
    let batches: Call[][] = []
    const { page, desk, close } = await openConnected(
      `&sell=${nativeSentinel}&buy=${token('USDC')}&amount=0.5`,
      privateKey,
      (installed) => {
        batches = answerBatches(installed, ({ value = '0x0', ...call }) =>
          sendFrom(own.stack.chain, address, { ...call, value: BigInt(value) }),
        )
      },
    )
    await page.getByText('One transaction wraps the amount and signs the order.').waitFor()
    const before = await balanceOf(token('WETH'), address)
    const uid = await desk.place('Swap 0.5 ETH')
    await desk.seeStatus('Filled')
    expect(await read(uid)).toMatchObject({
      signingScheme: 'presign',
      owner: address,
      sellToken: token('WETH').toLowerCase(),
    })
    expect(batches.map(namesOf)).toEqual([['deposit', 'approve', 'setPreSignature']])
    expect(await balanceOf(token('WETH'), address)).toBe(before)
    await close()
  })
})

describe('a Safe', () => {
  /** A Safe with one WETH. */
  const newSafe = async () => {
    const owner = await newAccount()
    const safe = await deploySafe(own.stack.chain, owner)
    const give = { abi: erc20Abi, functionName: 'transfer', args: [safe.address, parseEther('1')] } as const
    await sendFrom(own.stack.chain, owner.address, { to: token('WETH'), data: encodeFunctionData(give) })
    return { owner, safe }
  }

  browserTest('signs on-chain, after its approval by a transaction', async () => {
    const { owner, safe } = await newSafe()
    const held = Promise.withResolvers<void>()
    const { page, desk, wallet, close } = await openConnected(
      `&sell=${token('WETH')}&buy=${token('USDC')}&amount=0.5`,
      owner.privateKey,
      ({ answers }) => {
        answers.eth_requestAccounts = () => [safe.address]
        answers.eth_accounts = () => [safe.address]
        answers.wallet_getCapabilities = () => ({})
        answers.eth_signTypedData_v4 = () => '0x'
        // the transaction waits for other owners: its hash is not known
        answers.eth_sendTransaction = async ([call]) => {
          const { to, data } = call as Call
          const send = () => safe.call(to, data)
          if (namesOf([{ to, data }])[0] === 'setPreSignature') void held.promise.then(send)
          else await send()
          return `0x${'5a'.repeat(32)}`
        }
      },
    )
    await desk.button('Approve WETH').click()
    const uid = await desk.place('Swap 0.5 WETH')
    await desk
      .panel('Your order')
      .getByText(/^Waiting for your wallet to confirm on-chain/)
      .waitFor()
    await expectAccessible(page)
    expect(await read(uid)).toMatchObject({ status: 'presignaturePending', signingScheme: 'presign' })
    held.resolve()
    await desk.seeStatus('Filled')
    expect(await read(uid)).toMatchObject({ owner: safe.address, status: 'fulfilled' })
    expect(await balanceOf(token('USDC'), safe.address)).toBeGreaterThan(parseUnits('1000', 6))
    expect(countAsked(wallet, 'eth_signTypedData_v4')).toBe(0)
    await close()
  })

  browserTest('that rejects the transaction can sign the order later', async () => {
    const { owner, safe } = await newSafe()
    let batches: Call[][] = []
    const { page, desk, wallet, close } = await openConnected(
      `&sell=${token('WETH')}&buy=${token('USDC')}&amount=0.25`,
      owner.privateKey,
      (installed) => {
        batches = answerBatches(installed, ({ to, data }) => safe.call(to, data))
        installed.answers.eth_requestAccounts = () => [safe.address]
        installed.answers.eth_accounts = () => [safe.address]
      },
    )
    const execute = wallet.answers.wallet_sendCalls
    wallet.answers.wallet_sendCalls = () => {
      throw rejection
    }
    await desk.place('Swap 0.25 WETH')
    await page.getByRole('log').getByText('Not signed').waitFor()
    if (execute) wallet.answers.wallet_sendCalls = execute
    wallet.answers.eth_sendTransaction = async ([call]) => {
      const { to, data } = call as Call
      await safe.call(to, data)
      return `0x${'5a'.repeat(32)}`
    }
    const approve = {
      abi: erc20Abi,
      functionName: 'approve',
      args: [own.stack.info.contracts.vaultRelayer, parseEther('1')],
    } as const
    await safe.call(token('WETH'), encodeFunctionData(approve))
    await desk.panel('Your order').getByRole('button', { name: 'Sign on-chain' }).click()
    await desk.seeStatus('Filled')
    expect(batches).toEqual([])
    await close()
  })

  /** The trade page in the frame of the application of Safes, connected. */
  const openInSafe = async (query: string) => {
    const { safe } = await newSafe()
    const { baseUrl, network, chainId, rpcUrl } = own.stack.info
    const path = `/?network=${network}&sell=${token('WETH')}&buy=${token('USDC')}${query}`
    const host = createSafeHost({ safe, chainId, rpcUrl }, baseUrl + path)
    const { page, close } = await own.open('/', {
      baseUrl: safeOrigin,
      // the stack of the test has no certificate
      expected: new RegExp(`^requests another origin: ${baseUrl}|^Mixed Content: .*/icon\\.svg'`),
      prepare: host.install,
    })
    const frame = page.frames().find((found) => found.parentFrame() === page.mainFrame())
    if (!frame) throw new Error('the page has no frame')
    const desk = readDesk(page, frame)
    await desk.connect('Safe')
    return { safe, host, frame, desk, close }
  }

  browserTest('places an order inside of its own application, by one confirmation', async () => {
    const { safe, host, frame, desk, close } = await openInSafe('&amount=0.5')
    await frame.getByText('One transaction approves the tokens and signs the order.').waitFor()
    const uid = await desk.place('Swap 0.5 WETH')
    await desk.seeStatus('Filled')
    expect(await read(uid)).toMatchObject({ owner: safe.address, signingScheme: 'presign', status: 'fulfilled' })
    expect(host.batches.map(namesOf)).toEqual([['approve', 'setPreSignature']])
    await close()
  })

  browserTest('creates TWAPs by one confirmation each, sees their parts fill, and cancels one half-way', async () => {
    // parts of this stack have to be valid for longer than an auction
    const { safe, host, frame, desk, close } = await openInSafe('&amount=0.4&type=twap&parts=2&every=20')
    const steps = desk.panel('TWAP to create').locator('.signing-terms li')
    await steps.nth(3).waitFor()
    expect(await desk.buyAmount.isEditable()).toBe(false)
    await desk.button('Sell 0.4 WETH in 2 parts').click()
    const orders = desk.panel('Conditional orders').locator('.conditional-order')
    await orders.getByText('2 of 2 parts filled').waitFor()
    await orders.getByText('Average price').waitFor()
    await orders.getByText('Parts', { exact: true }).click()
    expect(await orders.getByRole('row').count()).toBe(3)

    // its set-up and its approval are complete: the first TWAP has sold 0.4 of 0.4 WETH
    await desk.sellAmount.fill('0.6')
    await frame.getByRole('textbox', { name: 'Parts' }).fill('4')
    await desk.button('Sell 0.6 WETH in 4 parts').click()
    const running = orders.filter({ hasText: 'in 4 parts' })
    await running.getByText(/^[23] of 4 parts filled$/).waitFor()
    await running.getByRole('button', { name: 'Cancel' }).click()
    await running.locator('.chip', { hasText: 'Cancelled' }).first().waitFor()
    expect(host.batches.map(namesOf)).toEqual([
      ['setFallbackHandler', 'setDomainVerifier', 'approve', 'createWithContext'],
      ['approve', 'createWithContext'],
      ['remove'],
    ])
    const [cancelled] = await own.book.get<{ hash: string }[]>(`/conditional_orders?owner=${safe.address}`)
    const { state, progress } = await own.book.get<{ state: string; progress: { placed: number; filled: number } }>(
      `/conditional_orders/${safe.address}/${cancelled?.hash}`,
    )
    expect(state).toBe('ended')
    expect(progress.filled).toBeLessThan(4)
    expect(await balanceOf(token('WETH'), safe.address)).toBe(
      parseEther('0.6') - parseEther('0.15') * BigInt(progress.filled),
    )
    await close()
  })

  browserTest('is what a TWAP needs: another account reads why, and places a limit order instead', async () => {
    const { privateKey } = await newAccount()
    const query = `&sell=${token('WETH')}&buy=${token('USDC')}&amount=1&type=twap`
    for (const options of sizes) {
      const { page, desk, close } = await openConnected(query, privateKey, undefined, options)
      await page.getByRole('heading', { name: 'A TWAP needs a Safe' }).waitFor()
      await desk.panel('Quote').getByText('Network cost per part').waitFor()
      await expectNoSidewaysScroll(page)
      await expectAccessible(page)
      await desk.button('Place a limit order').click()
      await page.getByRole('textbox', { name: 'Limit price' }).waitFor()
      await close()
    }
  })
})

describe('the recipient', () => {
  const resolver = `0x${'4e'.repeat(20)}` as const
  const namesAbi = parseAbi([
    'function resolver(bytes32 node) view returns (address)',
    'function addr(bytes32 node) view returns (address)',
    'function name(bytes32 node) view returns (string)',
  ])

  browserTest('is an ENS name, resolved by the wallet, and shown beside its address', async () => {
    const { address, privateKey } = await newAccount()
    const friend = await newAccount()
    const { page, desk, close } = await openConnected(
      `&sell=${token('WETH')}&buy=${token('USDC')}&amount=0.01&receiver=missing.eth`,
      privateKey,
      ({ answers }) => {
        answers.eth_call = ([call]) => {
          const { to, data } = call as Call
          const isRegistry = to === '0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e'
          if (!isRegistry && to !== resolver) return undefined
          const { functionName, args } = decodeFunctionData({ abi: namesAbi, data })
          if (functionName === 'name')
            return encodeFunctionResult({ abi: namesAbi, functionName, result: 'friend.eth' })
          if (args[0] === namehash(`${friend.address.slice(2)}.addr.reverse`))
            return encodeFunctionResult({ abi: namesAbi, functionName, result: resolver })
          const result = args[0] !== namehash('friend.eth') ? zeroAddress : isRegistry ? resolver : friend.address
          return encodeFunctionResult({ abi: namesAbi, functionName, result })
        }
      },
    )
    await page.getByText('This name has no address.').waitFor()
    await page.getByRole('textbox', { name: 'Recipient' }).fill('Friend.eth')
    await page.getByText(friend.address, { exact: true }).waitFor()
    await page.locator('.other-recipient').getByText('friend.eth', { exact: true }).waitFor()
    await expectAccessible(page)
    const before = await balanceOf(token('USDC'), friend.address)
    await desk.button('Approve WETH').click()
    const uid = await desk.place('Swap 0.01 WETH')
    await desk.seeStatus('Filled')
    expect(await read(uid)).toMatchObject({ owner: address, receiver: friend.address })
    expect(await balanceOf(token('USDC'), friend.address)).toBeGreaterThan(before)
    await page.goto(`${own.stack.info.baseUrl}/accounts/${friend.address}?network=${own.stack.info.network}`)
    await page.getByRole('heading', { level: 1 }).getByText('friend.eth').waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await close()
  })
})

describe('an expired order that sold the native token', () => {
  const seeRefund = (page: Page) => page.getByRole('button', { name: 'Refund ETH' })

  browserTest('is refunded by the account that placed it', async () => {
    const { address, privateKey, uid, validTo } = refunded
    await expect.poll(() => read(uid), { timeout: patienceMs, interval: 500 }).toMatchObject({ status: 'expired' })
    // the contract refunds by the time of the chain, which may be behind
    const readChainTime = async () => Number((await own.stack.chain.getBlock()).timestamp)
    await expect.poll(readChainTime, { timeout: patienceMs, interval: 500 }).toBeGreaterThan(validTo)
    const path = `/orders/${uid}?network=${own.stack.info.network}`
    const wallet = createWallet(own.stack.info, privateKey)
    const { page, close } = await own.open(path, { prepare: wallet.install })
    await readDesk(page).connect(wallet.name)
    await seeRefund(page).waitFor()
    await expectAccessible(page)
    const before = await own.stack.chain.getBalance({ address })
    // the indexed refund removes the notice: its report waits until the notice was seen
    const seen = Promise.withResolvers<void>()
    await page.route('**/debug/order/**', async (route) => {
      await seen.promise
      await route.continue()
    })
    await seeRefund(page).click()
    await page.getByText(/^Confirmed on-chain: the unsold ETH is back/).waitFor()
    expect(await seeRefund(page).count()).toBe(0)
    seen.resolve()
    expect((await own.stack.chain.getBalance({ address })) - before).toBeGreaterThan(parseEther('2.99'))
    // once the refund is indexed, neither the notice nor the button is there
    await page.getByText(/^Confirmed on-chain/).waitFor({ state: 'detached' })
    expect(await seeRefund(page).count()).toBe(0)
    expect(await read(uid)).toMatchObject({ ethflowData: { isRefunded: true } })
    await close()
  })
})
