import { OrderKind } from '@cowprotocol/cow-sdk'
import type { Page } from 'playwright-core'
import { erc20Abi, parseEther, parseUnits } from 'viem'
import { describe, expect } from 'vitest'
import { nativeSentinel } from '#shared/networks.ts'
import { connectTrader } from '#tools/demo/connectTrader.ts'
import { waitForStatus } from '#tools/demo/swap.ts'
import { buildEthFlowOrder, createEthFlowOrder, uidOfEthFlow } from '../helpers/chain/ethFlow.ts'
import { deployToken, mintToken } from '../helpers/chain/uniswapV2.ts'
import {
  browserTest,
  type ConsoleOptions,
  expectAccessible,
  expectNoSidewaysScroll,
} from '../helpers/console/browser.ts'
import { createWallet, rejection } from '../helpers/console/createWallet.ts'
import { readDesk } from '../helpers/console/readDesk.ts'
import { setUpConsole } from '../helpers/console/setUpConsole.ts'
import { createTrader } from '../helpers/orders/createTrader.ts'
import { fillSwap } from '../helpers/orders/fillSwap.ts'
import { postSignedOrder } from '../helpers/orders/postSignedOrder.ts'
import { signOrder } from '../helpers/orders/signOrder.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { patientQuotes, startBareTestStack } from '../helpers/stack/testStack.ts'

const publicRpcUrl = 'https://rpc.example'
const own = setUpConsole(() =>
  startBareTestStack({
    vars: { gateway: { PUBLIC_RPC_URLS: JSON.stringify({ sepolia: publicRpcUrl }) }, quotes: patientQuotes },
  }),
)
const { token, account } = own

const open = (query = '', options: ConsoleOptions = {}) => own.open(`/?network=sepolia${query}`, options)

describe('a local account trades', () => {
  browserTest('buys to the fill, with tokens picked by the keyboard and an unlimited approval', async () => {
    const opened = await open()
    const { page } = opened
    const desk = readDesk(page)
    await desk.connect(/Local account 1/)
    // letters that are typed before the next frame arrive in the field
    const focused = await desk.token('Token to buy').evaluate(async (opener) => {
      opener.click()
      await Promise.resolve()
      return opener.ownerDocument.activeElement?.getAttribute('role')
    })
    expect(focused).toBe('combobox')
    await page.keyboard.press('Escape')
    // until the dialog has closed, the button below it takes no focus
    await page.getByRole('combobox', { name: 'Token to buy' }).waitFor({ state: 'detached' })
    await desk.pick('Token to buy', 'dai')
    await desk.pick('Token to sell', 'USDC')
    await desk.buyAmount.fill('250')
    await page.getByRole('radio', { name: /^Unlimited/ }).check()
    await desk.button('Approve USDC').click()
    const uid = await desk.place('Buy 250 DAI')
    await desk.seeStatus('Filled')
    const order = await own.book.get<Record<string, string>>(`/orders/${uid}`)
    expect(order).toMatchObject({ kind: 'buy', executedBuyAmount: String(parseEther('250')), sellToken: token('USDC') })
    // approved without limit: the next order is signed at once and pays out the native token
    await desk.pick('Token to buy', 'ETH')
    await desk.buyAmount.fill('0.1')
    await desk.place('Buy 0.1 ETH')
    await desk.seeStatus('Filled')
    await opened.close()
  })

  browserTest('a limit order needs no offer', async () => {
    const lonely = await deployToken(own.stack.chain, 'LONELY')
    await mintToken(own.stack.chain, lonely, account(2).address, parseEther('5'))
    const opened = await open(`&sell=${lonely}&buy=${token('WETH')}&amount=5&type=limit&price=0.1`, {
      expectedStatuses: [400],
    })
    const { page } = opened
    const desk = readDesk(page)
    await desk.seeAlert(/^No liquidity/)
    await desk.connect(/Local account 2/)
    await desk.button('Approve LONELY').click()
    const uid = await desk.place('Limit sell 5 LONELY')
    await desk.seeStatus('Open')
    expect(await own.book.get(`/orders/${uid}`)).toMatchObject({
      quoteId: null,
      sellAmount: String(parseEther('5')),
      buyAmount: String(parseEther('0.5')),
    })
    await opened.close()
  })
})

type Rung = { sellAmount: string; buyAmount: string }
type Streamed = {
  amounts: Record<string, Rung>
  signable: { typedData: { message: Record<string, unknown> } }
}

/** Changes the last offer of the page's quote streams with `change`. */
const changeOffers = (page: Page, change: (offer: Streamed) => Streamed[]) =>
  page.route('**/quote/stream', async (route) => {
    const response = await route.fetch()
    // a solver without a response is an event, too
    const events = (await response.text()).split('\n\n').filter((event) => !/^event: error$/m.test(event))
    const offers = events.flatMap((event) => /^data: (.*)$/m.exec(event)?.[1] ?? [])
    const changed = change(JSON.parse(offers.at(-1) ?? '{}'))
    await route.fulfill({ response, body: changed.map((offer) => `data: ${JSON.stringify(offer)}\n\n`).join('') })
  })

describe('an offer', () => {
  browserTest('is replaced by a better one, which shows the improvement', async () => {
    const opened = await open()
    const desk = readDesk(opened.page)
    const worsen = ({ sellAmount, buyAmount }: Rung): Rung => ({
      sellAmount,
      buyAmount: String((BigInt(buyAmount) * 98n) / 100n),
    })
    await changeOffers(opened.page, (offer) => [
      {
        ...offer,
        amounts: Object.fromEntries(Object.entries(offer.amounts).map(([name, rung]) => [name, worsen(rung)])),
      },
      offer,
    ])
    await desk.sellAmount.fill('1')
    await desk.panel('Quote').getByText('Live price, better by 2.04 %').waitFor()
    await opened.close()
  })

  browserTest('is not signed when it differs from the displayed terms', async () => {
    const opened = await open()
    const { page } = opened
    const desk = readDesk(page)
    await changeOffers(page, (offer) => {
      const { typedData } = offer.signable
      const message = { ...typedData.message, receiver: account(1).address, buyAmount: '1' }
      return [{ ...offer, signable: { ...offer.signable, typedData: { ...typedData, message } } }]
    })
    const asked: string[] = []
    page.on('request', (request) => void asked.push(request.postData() ?? ''))
    await desk.connect(/Local account 1/)
    await desk.sellAmount.fill('1')
    await desk.approve('WETH', 'Swap 1 WETH')
    await desk.button('Swap 1 WETH').click()
    await page
      .getByRole('alert')
      .getByText(/^Nothing was signed: .*\(receiver, buyAmount\)/)
      .waitFor()
    expect(asked.filter((body) => body.includes('eth_signTypedData_v4'))).toEqual([])
    await opened.close()
  })
})

describe('errors are shown', () => {
  browserTest('with the figures of the order book: a quote that does not cover its costs', async () => {
    const opened = await open('&amount=0.0001', { expectedStatuses: [400] })
    const alert = opened.page.getByRole('alert')
    await alert.getByText('Sell amount does not cover fee').waitFor()
    expect(await alert.getByRole('paragraph').first().textContent()).not.toMatch(/\d{6}|0x|Amount/)
    expect(await alert.textContent()).toContain(`sellAmountBeforeFee${parseUnits('0.0001', 18)}`)
    // nothing is still to come
    expect(await readDesk(opened.page).panel('Quote').locator('.skeleton').count()).toBe(0)
    await opened.close()
  })

  browserTest('with the figures of the order book: an order that its owner cannot pay', async () => {
    const opened = await open('', { expectedStatuses: [400, 429] })
    const { page } = opened
    // the balances are unknown, so the page leaves the check to the order book
    await page.route('**/streams', (route) => route.fulfill({ status: 429 }))
    const desk = readDesk(page)
    await desk.connect(/Local account 3/)
    await desk.sellAmount.fill('101')
    await desk.button('Swap 101 WETH').click()
    const alert = page.getByRole('alert')
    await alert.getByText('Insufficient balance').waitFor()
    expect(await alert.textContent()).toContain(`available${parseEther('100')}required${parseEther('101')}`)
    await opened.close()
  })

  browserTest('before signing, when the page detects them', async () => {
    const opened = await open()
    const desk = readDesk(opened.page)
    await desk.connect(/Local account 3/)
    await desk.sellAmount.fill('101')
    await opened.page.getByText('You have 100 WETH; the order needs 101 WETH.').waitFor()
    expect(await desk.button('Insufficient WETH balance').isDisabled()).toBe(true)
    await desk.sellAmount.fill('1,5')
    await opened.page.getByText('no thousands separators').waitFor()
    expect(await desk.sellAmount.getAttribute('aria-invalid')).toBe('true')
    await opened.close()
  })

  browserTest('before a request, for a token without decimals', async () => {
    const silent = await deployToken(own.stack.chain, 'SILENT')
    const asked: string[] = []
    const opened = await open(`&sell=${token('WETH')}&buy=${silent}&kind=buy&amount=1000`, {
      prepare: async (page) => {
        page.on('request', (request) => void asked.push(request.url()))
        await page.route('**/tokens/details', async (route) => {
          const response = await route.fetch()
          const tokens = (await response.json()) as { address: string }[]
          const withoutDecimals = tokens.map((details) =>
            details.address === silent.toLowerCase() ? { ...details, decimals: undefined } : details,
          )
          await route.fulfill({ response, json: withoutDecimals })
        })
      },
    })
    const { page } = opened
    const desk = readDesk(page)
    await page.getByText('This token’s decimals cannot be read, so it cannot be traded here.').waitFor()
    await desk.connect(/Local account 1/)
    expect(await desk.panel('Order to sign').getByRole('button').isDisabled()).toBe(true)
    expect(asked.filter((url) => url.includes('/quote'))).toEqual([])
    await opened.close()
  })
})

describe('a fill with the fee of a partner', () => {
  browserTest('names the fee, which is not a loss against the quote', async () => {
    const { address, privateKey } = await createTrader(own.stack)
    const trader = connectTrader(own.stack.info, privateKey)
    const { postSwapOrderFromQuote } = await trader.sdk.getQuote({
      ...{ kind: OrderKind.SELL, amount: String(parseEther('0.05')) },
      ...{ sellToken: token('WETH'), sellTokenDecimals: 18, buyToken: token('USDC'), buyTokenDecimals: 6 },
      partnerFee: { volumeBps: 80, recipient: address },
      settlementContractOverride: trader.settlementContractOverride,
    })
    const { orderId } = await postSwapOrderFromQuote()
    await waitForStatus(trader, orderId, 'fulfilled')
    const { page, close } = await own.open(`/orders/${orderId}?network=sepolia`)
    const receipt = readDesk(page).panel('Receipt')
    await receipt.getByText('Partner fee, 0.8 % of the volume').waitFor()
    await receipt.getByText('Network cost (approx.)').waitFor()
    const gains = page.locator('.gain')
    expect(await gains.count()).toBeGreaterThan(2)
    expect(await page.locator('.gain.bad').allTextContents()).toEqual([])
    await close()
  })
})

describe('a browser in German', () => {
  browserTest('shows and reads numbers as it writes them, and links them in the neutral format', async () => {
    const opened = await open(`&sell=${token('WETH')}&buy=${token('USDC')}&amount=1234.5&type=limit&price=4000`, {
      prepare: (page) => page.addInitScript("Object.defineProperty(navigator, 'language', { get: () => 'de-DE' })"),
    })
    const { page } = opened
    const desk = readDesk(page)
    await expect.poll(() => desk.buyAmount.inputValue(), { timeout: patienceMs }).toBe('4.938.000')
    expect(await desk.sellAmount.inputValue()).toBe('1.234,5')
    await desk.sellAmount.focus()
    expect(await desk.sellAmount.inputValue()).toBe('1234,5')
    await desk.sellAmount.fill('0,25')
    await expect.poll(() => desk.buyAmount.inputValue(), { timeout: patienceMs }).toBe('1.000')
    expect(new URL(page.url()).searchParams.get('amount')).toBe('0.25')
    // a point is not taken for a comma
    await desk.sellAmount.fill('0.25')
    await page.getByText('Use “,” for decimals and no thousands separators.').waitFor()
    await opened.close()
  })
})

describe('before signing', () => {
  browserTest('warns of a price far from the market, with the figures', async () => {
    const terms = `&sell=${token('WETH')}&buy=${token('USDC')}&amount=1`
    const { page, close } = await open(`${terms}&type=limit&price=300`)
    const desk = readDesk(page)
    const panel = desk.panel('Order to sign')
    await panel
      .getByText(/At your price you may receive (?:8|9)\d(?:\.\d+)? % less than the market offers now\./)
      .waitFor()
    await panel.getByText(/Measured in US dollars you receive about \d+(?:\.\d+)? % less than you pay\./).waitFor()
    await expectAccessible(page)
    await page.getByRole('textbox', { name: 'Limit price' }).fill('4000')
    await panel.getByText('4,000 USDC').waitFor()
    await panel.locator('.warning').waitFor({ state: 'detached' })

    await page.goto(`${own.stack.info.baseUrl}/?network=sepolia${terms}&slippage=20`)
    await panel.getByText('With 20 % slippage you may receive that much less than quoted.').waitFor()
    await close()
  })

  browserTest('a loss above 5 % has a named step, and one above 20 % needs the settings as well', async () => {
    const terms = `&sell=${token('WETH')}&buy=${token('USDC')}&amount=0.1`
    const { page, close } = await open(`${terms}&slippage=10`)
    const desk = readDesk(page)
    await desk.connect(/Local account 2/)
    await desk.approve('WETH', 'Accept a loss')
    const accept = desk.button(/^Accept a loss of up to 1\d(?:\.\d)? %$/)
    await accept.waitFor()
    expect(await desk.button('Swap 0.1 WETH').count()).toBe(0)
    await accept.click()
    await desk.button('Swap 0.1 WETH').waitFor()
    // other terms are another loss
    await desk.sellAmount.fill('0.05')
    await accept.waitFor()

    await page.goto(`${own.stack.info.baseUrl}/?network=sepolia${terms}&slippage=45`)
    await desk.button('Loss above 20 %').waitFor()
    expect(await desk.button('Loss above 20 %').isDisabled()).toBe(true)
    await page.getByRole('checkbox', { name: 'Allow losses above 20 %' }).check()
    await desk.button(/^Accept a loss of up to 4\d(?:\.\d)? %$/).click()
    await desk.button('Swap 0.1 WETH').waitFor()
    await expectAccessible(page)
    await close()
  })

  browserTest('marks an unlisted token, whatever its name', async () => {
    const name = `\u202eCDSU${'W'.repeat(300)}`
    const unlisted = await deployToken(own.stack.chain, name)
    await mintToken(own.stack.chain, unlisted, account(1).address, parseEther('5'))
    const { page, close } = await open(`&sell=${unlisted}&buy=${token('WETH')}&amount=5&type=limit&price=1`, {
      expectedStatuses: [400],
    })
    const desk = readDesk(page)
    const warning = 'Unlisted token: check its address'
    await page.getByRole('group', { name: 'Sell', exact: true }).getByText(warning).waitFor()
    expect(await page.getByText(warning).count()).toBe(1)
    await desk.connect(/Local account 1/)
    await desk
      .panel('Order to sign')
      .getByRole('button', { name: /^Approve CDSUW+…$/ })
      .waitFor()
    expect(await desk.panel('Quote').textContent()).toContain('Minimum received5 WETH')
    // no solver has a price, so the terms are shown without a click
    await desk
      .panel('Quote')
      .getByText(/^You sell exactly 5 CDSUW+…\.$/)
      .waitFor()
    expect(await page.locator('body').textContent()).not.toContain('\u202e')
    await close()
  })
})

describe('a wallet that does not know the network', () => {
  browserTest('is offered it with the published node', async () => {
    const wallet = createWallet(own.stack.info, account(3).privateKey)
    const opened = await open('', { prepare: wallet.install })
    const desk = readDesk(opened.page)
    let chainId = '0x1'
    let isAdded = false
    const offered: unknown[] = []
    wallet.answers.eth_chainId = () => chainId
    wallet.answers.wallet_switchEthereumChain = ([asked]) => {
      if (!isAdded) return Promise.reject({ code: 4902, message: 'Unrecognized chain ID' })
      chainId = (asked as { chainId: string }).chainId
      return Promise.resolve(null)
    }
    wallet.answers.wallet_addEthereumChain = ([chain]) => {
      offered.push(chain)
      if (offered.length === 1) return Promise.reject(rejection)
      isAdded = true
      return Promise.resolve(null)
    }
    await desk.connect(wallet.name)
    await desk.sellAmount.fill('1')
    await desk.button('Switch to Sepolia').first().click()
    await desk.seeAlert('You rejected the request in your wallet.')
    await desk.button('Switch to Sepolia').first().click()
    await desk.button(/^(Approve|Swap 1) WETH$/).waitFor()
    expect(offered[1]).toEqual({
      chainId: '0xaa36a7',
      chainName: 'Sepolia',
      nativeCurrency: { name: 'ETH', symbol: 'ETH', decimals: 18 },
      rpcUrls: [publicRpcUrl],
    })
    await opened.close()
  })
})

describe('the native token', () => {
  browserTest('is sold by a transaction to the fill', async () => {
    const opened = await open(`&sell=${nativeSentinel}&buy=${token('USDC')}&amount=0.5`, { expectedStatuses: [404] })
    const desk = readDesk(opened.page)
    await desk.connect(/Local account 1/)
    const uid = await desk.place('Swap 0.5 ETH')
    await desk.seeStatus('Filled')
    // in the card, where its button was
    const card = opened.page.locator('.trade-card')
    expect(await card.getByRole('region', { name: 'Your order', exact: true }).count()).toBe(1)
    const order = await own.book.get<Record<string, string>>(`/orders/${uid}`)
    expect(order).toMatchObject({
      status: 'fulfilled',
      onchainUser: account(1).address.toLowerCase(),
      executedSellAmount: String(parseEther('0.5')),
      onchainOrderData: { placementError: null },
      fullAppData: expect.stringContaining('edgebook console'),
    })
    expect(order.quoteId).not.toBeNull()

    // the wrapped token, which the contract sells, has no place on its pages
    const { page } = opened
    await page.getByRole('tab', { name: 'History' }).click()
    await desk.panel('Your orders').getByText('0.5 ETH').first().waitFor()
    await page.goto(`${own.stack.info.baseUrl}/orders/${uid}?network=sepolia`)
    const main = page.getByRole('main')
    await main.getByText(/^The order is filled: 0\.5 ETH for [\d,.]+ USDC\.$/).waitFor()
    await page
      .getByRole('region', { name: /^Competition/ })
      .getByText('0.5 ETH')
      .first()
      .waitFor()
    expect(await main.textContent()).not.toContain('WETH')
    const [trade] = await own.book.get<{ txHash: string }[]>(`/v2/trades?orderUid=${uid}`)
    await page.goto(`${own.stack.info.baseUrl}/transactions/${trade?.txHash}?network=sepolia`)
    await page
      .getByRole('table', { name: 'Token flow' })
      .getByRole('row', { name: /^ETH 0\.5 ETH/ })
      .waitFor()
    expect(await main.textContent()).not.toContain('WETH')
    await opened.close()
  })

  browserTest('is sold at a limit, and comes back when the order is cancelled', async () => {
    const terms = `&sell=${nativeSentinel}&buy=${token('USDC')}&amount=0.25&type=limit&price=9000`
    const opened = await open(terms, { expectedStatuses: [404] })
    const { page } = opened
    const desk = readDesk(page)
    await desk.connect(/Local account 1/)
    const uid = await desk.place('Limit sell 0.25 ETH')
    await desk.seeStatus('Open')
    await expectAccessible(page)
    const findBalance = () => own.stack.chain.getBalance({ address: account(1).address })
    const before = await findBalance()
    await desk.button('Cancel order').click()
    await desk.seeStatus('Cancelled')
    expect(await own.book.get(`/orders/${uid}`)).toMatchObject({ status: 'cancelled' })
    expect((await findBalance()) - before).toBeGreaterThan(parseEther('0.249'))
    await opened.close()
  })

  browserTest('is wrapped and unwrapped', async () => {
    const opened = await open(`&sell=${nativeSentinel}&buy=${token('WETH')}&amount=2`)
    const { page } = opened
    const desk = readDesk(page)
    const findBalance = () =>
      own.stack.chain.readContract({
        address: token('WETH'),
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [account(2).address],
      })
    await desk.connect(/Local account 2/)
    await desk.button('Wrap 2 ETH').waitFor()
    expect(await desk.buyAmount.inputValue()).toBe('2')
    const before = await findBalance()
    await desk.button('Wrap 2 ETH').click()
    const messages = page.getByRole('log')
    await messages.getByText('Wrapped', { exact: true }).waitFor()
    expect((await findBalance()) - before).toBe(parseEther('2'))

    await desk.button('Switch tokens').click()
    await desk.sellAmount.fill('1.5')
    await desk.button('Unwrap 1.5 WETH').click()
    await messages.getByText('Unwrapped', { exact: true }).waitFor()
    expect((await findBalance()) - before).toBe(parseEther('0.5'))
    await expectAccessible(page)
    await opened.close()
  })
})

describe('the price chart', () => {
  /** Prices of one WETH in USDC, oldest first; null: a trade far from them, and no price. */
  const toCandles = (startMs: number, stepMs: number, prices: readonly (number | null)[]) =>
    prices.map((price, index) => ({
      time: new Date(startMs + index * stepMs).toISOString(),
      ...{ source: price === null ? 'trades' : 'samples', ...atPrice(price) },
      ...{ fills: price === null ? atPrice(9_000) : null, trades: price === null ? 1 : 0 },
      ...{ baseVolume: '0', quoteVolume: '0' },
    }))
  const atPrice = (price: number | null) => ({ open: price, high: price, low: price, close: price })

  const toNumber = (text: string) => Number(text.replaceAll(',', ''))

  browserTest('shows past prices in the displayed direction, with gaps and dates', async () => {
    const hour = 3_600_000
    const midnight = Math.floor(Date.now() / (24 * hour)) * 24 * hour
    const series: Record<string, ReturnType<typeof toCandles>> = {
      '5m&count=288': toCandles(Math.floor(Date.now() / hour - 4) * hour, hour / 2, [2_000, 2_500, null, 2_100, 2_200]),
      '1h&count=168': toCandles(
        midnight - 72 * hour,
        hour,
        Array.from({ length: 72 }, (_, i) => 3_000 - i),
      ),
    }
    const released = Promise.withResolvers<void>()
    const requested: string[] = []
    const opened = await open('&amount=1', {
      prepare: (page) =>
        page.route('**/candles?**', async (route) => {
          const [, query = ''] = /interval=(.+)$/.exec(route.request().url()) ?? []
          requested.push(query)
          const response = await route.fetch()
          expect(response.status()).toBe(200)
          await released.promise
          await route.fulfill({ response, json: { ...(await response.json()), candles: series[query] ?? [] } })
        }),
    })
    const { page } = opened
    const desk = readDesk(page)
    const panel = desk.panel('Market')
    await panel.getByText('USDC per WETH').waitFor()
    const loading = await panel.boundingBox()
    released.resolve()
    const drawing = panel.getByRole('img', { name: /^Price of WETH in USDC/ })
    await drawing.waitFor()
    expect(await drawing.getAttribute('aria-label')).toBe(
      'Price of WETH in USDC, last day: from 2,000 to 2,200, between 2,000 and 2,500',
    )
    expect((await panel.boundingBox())?.height).toBe(loading?.height)
    await panel.getByText('+10.00 %').waitFor()

    await desk.button('Switch tokens').click()
    await desk.token('Token to sell').getByText('USDC').waitFor()
    await panel.getByText('+10.00 %').waitFor()
    await panel.getByText('1W', { exact: true }).click()
    await panel.getByRole('img', { name: /last week: from 3,000 to 2,929/ }).waitFor()
    expect(await panel.locator('.candle-times').textContent()).toMatch(/^([A-Z][a-z]{2} \d{1,2}){2,4}$/)
    expect(new Set(requested)).toEqual(new Set(['5m&count=288', '1h&count=168']))

    const candle = await panel.locator('.candle').nth(10).boundingBox()
    if (!candle) throw new Error('no candle')
    await page.mouse.move(candle.x + candle.width / 2, candle.y + candle.height / 2)
    const readout = panel.locator('.candle-readout')
    await readout.getByText(/O 2,9\d\d · H 2,9\d\d · L 2,9\d\d · C 2,9\d\d/).waitFor()
    const [, opening = '', close = ''] = /O ([\d,]+) .* C ([\d,]+)/.exec((await readout.textContent()) ?? '') ?? []
    const pointed = toNumber((await panel.locator('.candle-at').textContent()) ?? '')
    // the pointer is in the middle of the body
    expect(Math.abs(pointed - (toNumber(opening) + toNumber(close)) / 2)).toBeLessThan(2)
    await desk.sellAmount.hover()
    await readout.waitFor({ state: 'detached' })

    await desk.sellAmount.fill('2000')
    expect(new URL(page.url()).searchParams.get('range')).toBe('1W')
    await expectAccessible(page)
    await opened.close()
  })
})

describe('beside the chart', () => {
  browserTest('the book, the last trades and the markets have what the market has', async () => {
    const { privateKey } = await createTrader(own.stack)
    const [WETH, USDC] = [token('WETH'), token('USDC')]
    const sale = { sellToken: WETH, buyToken: USDC, sellAmount: parseEther('0.2'), buyAmount: parseUnits('864.2', 6) }
    const purchase = { sellToken: USDC, buyToken: WETH, sellAmount: parseUnits('250', 6), buyAmount: parseEther('0.1') }
    for (const terms of [sale, purchase]) await postSignedOrder(own.stack.info, privateKey, terms)
    const filled = await fillSwap(own.stack.info, privateKey)
    const read = async (path: string) => (await fetch(`${own.stack.info.baseUrl}/sepolia/markets${path}`)).text()
    const atomsOf = ({ sellAmount, buyAmount }: typeof sale) => [String(sellAmount), String(buyAmount)]
    await expect
      .poll(() => read(`/${WETH}-${USDC}/depth`), { timeout: patienceMs })
      .toSatisfy((depth: string) => [sale, purchase].flatMap(atomsOf).every((atoms) => depth.includes(atoms)))
    await expect.poll(() => read(''), { timeout: patienceMs }).toContain(USDC)

    const { page, close } = await open(`&sell=${WETH}&buy=${USDC}`)
    const part = readDesk(page).panel
    const book = (name: string) => part('Open book').getByRole('table', { name })
    await book('Sell orders')
      .getByRole('row', { name: /^4,321 0\.2/ })
      .waitFor()
    await book('Buy orders')
      .getByRole('row', { name: /^2,500 0\.1/ })
      .waitFor()
    const trade = part('Last trades')
      .getByRole('row')
      .filter({ has: page.locator(`a[href*="${filled}"]`) })
    await trade.getByText('0.01 WETH').waitFor()
    expect(await trade.textContent()).toMatch(/sold at [\d,.]+$/)
    await part('Markets')
      .getByRole('link', { name: /(WETH|ETH) \/ USDC/ })
      .waitFor()
    await close()
  })

  browserTest('the name leads to other markets, and the parts are sheets on a phone', async () => {
    const { privateKey } = await createTrader(own.stack)
    await fillSwap(own.stack.info, privateKey)
    const [WETH, USDC] = [token('WETH'), token('USDC')]
    const market = /(WETH|ETH) \/ USDC/
    const { page, close } = await open(`&sell=${token('DAI')}&buy=${WETH}`)
    const head = page.locator('.market-head')
    await head.getByRole('button', { name: /: markets$/ }).click()
    await head.getByRole('link', { name: market }).click()
    await head.getByRole('button', { name: market }).waitFor()
    await close()

    const phone = await open(`&sell=${WETH}&buy=${USDC}`, { width: 390 })
    const sheet = phone.page.getByRole('dialog', { name: 'Last trades' })
    await phone.page.locator('.market-sheets').getByRole('button', { name: 'Last trades' }).click()
    await sheet.getByRole('row').first().waitFor()
    await expectNoSidewaysScroll(phone.page)
    await phone.page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'hidden' })
    await phone.close()
  })
})

describe('an order that only a transaction cancels', () => {
  /** Opens its page, then the trade page with its owner, and compares what both say. */
  const follow = async (uid: string, link: string) => {
    const { page, close } = await own.open(`/orders/${uid}?network=sepolia`)
    await page.getByRole('link', { name: link }).waitFor()
    const onPage = await page.locator('.details > div', { hasText: 'To cancel it' }).textContent()
    await page.getByRole('link', { name: link }).click()
    const desk = readDesk(page)
    const followed = await desk.panel('Your order').getByText('can cancel it').textContent()
    expect(onPage).toContain(followed)
    await desk.connect(/Local account 0/)
    await desk.button('Cancel order').waitFor()
    return { followed, page, desk, close }
  }

  browserTest('shows who can: the seller of the native token', async () => {
    const order = buildEthFlowOrder({
      buyToken: token('USDC'),
      receiver: account(0).address,
      sellAmount: parseEther('0.05'),
      buyAmount: parseUnits('4000', 6),
      validTo: Math.floor(Date.now() / 1_000) + 1_200,
    })
    await createEthFlowOrder(own.stack.chain, account(0).address, order)
    const uid = uidOfEthFlow(order)
    await expect
      .poll(async () => (await fetch(`${own.stack.info.baseUrl}/sepolia/api/v1/orders/${uid}`)).status, {
        timeout: patienceMs,
      })
      .toBe(200)
    const { followed, close } = await follow(uid, 'Follow order')
    expect(followed).toMatch(/^0xf39fd6….* by invalidateOrder of 0x.*, the ETH-flow contract\.$/)
    await close()
  })

  browserTest('shows who can, the owner of an order that a transaction signs, who cancels it there', async () => {
    const signed = await signOrder(own.stack.info, account(0).privateKey, {
      sellToken: token('WETH'),
      buyToken: token('USDC'),
      sellAmount: parseEther('0.03'),
      buyAmount: parseUnits('4000', 6),
    })
    const uid = await own.book.post({ ...signed, signingScheme: 'presign', signature: '0x' })
    const { followed, page, desk, close } = await follow(uid, 'Follow or cancel')
    expect(followed).toMatch(/^0xf39fd6….* by invalidateOrder of the settlement contract\.$/)
    await expectAccessible(page)
    await desk.button('Cancel order').click()
    await desk.seeStatus('Cancelled')
    expect(await desk.button('Cancel order').count()).toBe(0)
    expect(await own.book.get(`/orders/${uid}`)).toMatchObject({ status: 'cancelled', invalidated: true })
    await close()
  })
})

describe('a limit', () => {
  browserTest('has presets in the shown unit, and is moved by its line in the chart', async () => {
    const opened = await open(`&sell=${token('WETH')}&buy=${token('USDC')}&amount=1&type=limit`, {
      prepare: (page) =>
        page.route('**/candles?**', async (route) => {
          const response = await route.fetch()
          const body = (await response.json()) as { since: string }
          const candles = [0, 1, 2].map((i) => ({
            ...{ time: new Date(Date.parse(body.since) + i * 1_800_000).toISOString(), source: 'samples', trades: 0 },
            ...{ open: 2_990, high: 3_010, low: 2_980, close: 3_000, fills: null, baseVolume: '0', quoteVolume: '0' },
          }))
          await route.fulfill({ response, json: { ...body, candles } })
        }),
    })
    const { page } = opened
    const desk = readDesk(page)
    const price = page.getByRole('textbox', { name: 'Limit price' })
    const readPrice = async () => Number((await price.inputValue()).replaceAll(',', ''))
    await desk.button('Use market price').click()
    const market = await readPrice()
    await desk.button('+5 %').click()
    expect((await readPrice()) / market).toBeCloseTo(1.05, 3)
    await page.getByRole('combobox', { name: 'Unit of the price' }).selectOption('buy')
    await desk.button('−10 %').click()
    expect((await readPrice()) * market).toBeCloseTo(0.9, 3)
    await page.getByRole('combobox', { name: 'Unit of the price' }).selectOption('sell')
    // one direction on the page, in the unit of the form
    await desk.panel('Market').getByText('USDC per WETH').waitFor()
    await desk.button('Invert prices').click()
    await desk.panel('Market').getByText('WETH per USDC').waitFor()
    await desk
      .panel('Quote')
      .getByText(/^Market: 1 USDC = /)
      .waitFor()
    expect((await readPrice()) * market).toBeCloseTo(0.9, 3)
    await desk.button('Invert prices').click()
    const line = desk.panel('Market').getByRole('slider', { name: 'Limit price' })
    const before = await readPrice()
    await line.press('ArrowUp')
    await expect.poll(readPrice, { timeout: patienceMs }).toBeGreaterThan(before)
    // the validity ends at a date
    await desk.button('Settings').click()
    await page.getByLabel('Valid for').selectOption('Until a date …')
    const inTwoDays = new Date(Date.now() + 2 * 86_400_000 + 3_600_000)
    await page.getByLabel('Valid until').fill(inTwoDays.toISOString().slice(0, 16))
    const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' }).format(inTwoDays)
    await desk
      .panel('Quote')
      .getByText(new RegExp(`${day}, \\d\\d:\\d\\d`))
      .waitFor()
    await expectAccessible(page)
    await opened.close()
  })

  browserTest('of an open order is replaced with one signature', async () => {
    const opened = await open(`&sell=${token('WETH')}&buy=${token('USDC')}&amount=0.11&type=limit&price=4000`)
    const { page } = opened
    const desk = readDesk(page)
    await desk.connect(/Local account 0/)
    await desk.approve('WETH', 'Limit sell 0.11 WETH')
    const first = await desk.place('Limit sell 0.11 WETH')
    const row = desk
      .panel('Your orders')
      .getByRole('listitem')
      .filter({ has: page.locator(`a[href*="${first}"]`) })
    await row.getByText(/^waits for the price: \+[\d.]+ % away$/).waitFor()
    await row.getByRole('link', { name: 'Edit' }).click()
    await page.getByText('with one signature').waitFor()
    expect(await desk.sellAmount.inputValue()).toBe('0.11')
    await page.getByRole('textbox', { name: 'Limit price' }).fill('4100')
    const second = await desk.place('Limit sell 0.11 WETH')
    await desk.seeStatus('Open')
    await own.book.waitFor(first, ({ status }) => status === 'cancelled')
    expect(await own.book.get(`/orders/${second}`)).toMatchObject({ status: 'open' })
    expect(new URL(page.url()).searchParams.get('replaces')).toBeNull()
    await opened.close()
  })
})

describe('a link', () => {
  browserTest('reopens the same trade and its order, which is cancelled there', async () => {
    const opened = await open()
    const { page } = opened
    const desk = readDesk(page)
    await desk.connect(/Local account 0/)
    await page.getByRole('radio', { name: 'Limit', exact: true }).check()
    await desk.sellAmount.fill('0.5')
    await page.getByRole('button', { name: 'Use market price' }).waitFor()
    await page.getByRole('textbox', { name: 'Limit price' }).fill('4000')
    await desk.button('Settings').click()
    await page.getByRole('checkbox', { name: 'Allow partial fills' }).check()
    const fields = await desk.fields()
    expect(fields).toEqual({
      sell: 'WETH',
      buy: 'USDC',
      sellAmount: '0.5',
      buyAmount: '2,000',
      isLimit: true,
      isByParts: true,
    })
    const again = await open(`&${new URL(page.url()).search.slice(1)}`)
    const desk2 = readDesk(again.page)
    await expect.poll(desk2.fields, { timeout: patienceMs }).toEqual(fields)
    await again.close()

    await desk.approve('WETH', 'Limit sell 0.5 WETH')
    await desk.place('Limit sell 0.5 WETH')
    await page.reload()
    await desk.seeStatus('Open')
    await desk.account().waitFor()
    await desk.button('Cancel order').click()
    await desk.seeStatus('Cancelled')
    await opened.close()
  })
})

describe.each([
  { width: 360, dark: true },
  { width: 360, dark: false },
  { width: 1_280, dark: true },
  { width: 1_280, dark: false },
])('at $width pixels, dark: $dark', (look) => {
  browserTest('is accessible', async () => {
    const opened = await open('&type=limit&amount=1&price=3100&partial=1', look)
    const { page } = opened
    const desk = readDesk(page)
    const expectUsable = async () => {
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
    }
    await desk.openWallets()
    await page.getByRole('button', { name: /Local account 0/ }).waitFor()
    await expectUsable()
    await page.getByRole('button', { name: /Local account 0/ }).click()
    await page.getByRole('button', { name: 'Use market price' }).waitFor()
    await expectUsable()
    await desk.token('Token to buy').click()
    await page.getByRole('option', { name: /DAI/ }).waitFor()
    await expectUsable()
    await page.keyboard.press('Escape')
    await page.getByRole('radio', { name: 'Swap' }).check()
    await desk
      .panel('Quote')
      .getByText(/^Live price/)
      .waitFor()
    await expectUsable()
    await opened.close()
  })
})
