import type { Browser, Locator, Page } from 'playwright-core'
import { type Address, parseEther, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { Stack } from '#tools/stack/startStack.ts'
import {
  browserTest,
  type ConsolePage,
  expectAccessible,
  expectNoSidewaysScroll,
  hasBrowser,
  launchBrowser,
  openConsole,
} from '../helpers/browser.ts'
import { connectOrderBook, type OrderBook } from '../helpers/orderBook.ts'
import { deployShallowToken } from '../helpers/shallowToken.ts'
import { startBareTestStack } from '../helpers/testStack.ts'
import { deployToken, mintToken } from '../helpers/uniswapV2.ts'

/** From signing to the settlement, on a machine that has other things to do. */
const fillMs = 60_000
const waitMs = 30_000

let stack: Stack
let browser: Browser
let book: OrderBook

beforeAll(async () => {
  if (!hasBrowser) return
  ;[stack, browser] = await Promise.all([startBareTestStack(), launchBrowser()])
  book = connectOrderBook(stack.info)
})

afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

const token = (symbol: string): Address => stack.info.tokens[symbol]?.address as Address
const account = (index: number) => {
  const found = stack.info.accounts[index]
  if (!found) throw new Error(`no account ${index}`)
  return found
}

const open = (query = '', options = {}): Promise<ConsolePage> =>
  openConsole(browser, stack.info.baseUrl, `/?network=sepolia${query}`, options)

/** What somebody who trades does and sees. */
const readDesk = (page: Page) => {
  const side = (name: string) => page.getByRole('group', { name })
  const amountOf = (name: string): Locator => side(name).getByRole('textbox', { name: /^Amount/ })
  const desk = {
    sellAmount: amountOf('You sell'),
    buyAmount: amountOf('You buy'),
    button: (name: string | RegExp) => page.getByRole('button', { name }),
    panel: (name: string) => page.getByRole('region', { name }),
    connect: async (wallet: string | RegExp) => {
      await page.getByRole('region', { name: 'Wallet' }).getByRole('button', { name: 'Connect a wallet' }).click()
      await page.getByRole('dialog').getByRole('button', { name: wallet }).click()
      await page.getByText('Connected:').waitFor()
    },
    /** Types what is in the picker and takes the first one, all by the keyboard. */
    pick: async (field: 'Token to sell' | 'Token to buy', typed: string) => {
      const picker = page.getByRole('combobox', { name: field })
      await picker.focus()
      await page.keyboard.type(typed)
      await page.getByRole('listbox', { name: field }).getByRole('option').first().waitFor()
      await page.keyboard.press('Enter')
    },
    /** What the account has, as it is shown. */
    seeBalance: (name: string, text: string) =>
      side(name).getByText(`You have ${text}`, { exact: true }).waitFor({ timeout: waitMs }),
    seeStatus: (text: string, timeout = fillMs) =>
      page.getByRole('region', { name: 'Your order' }).locator('.badge', { hasText: text }).waitFor({ timeout }),
    /** Clicks what signs, and waits for the order. @returns its UID */
    place: async (button: string): Promise<string> => {
      await desk.button(button).click({ timeout: waitMs })
      await page.getByRole('heading', { name: 'Your order' }).waitFor({ timeout: waitMs })
      return new URL(page.url()).searchParams.get('order') ?? ''
    },
    fields: async () => ({
      sell: await page.getByRole('combobox', { name: 'Token to sell' }).inputValue(),
      buy: await page.getByRole('combobox', { name: 'Token to buy' }).inputValue(),
      sellAmount: await desk.sellAmount.inputValue(),
      buyAmount: await desk.buyAmount.inputValue(),
      isLimit: await page.getByRole('radio', { name: 'Limit order' }).isChecked(),
      isByParts: await page.getByRole('checkbox', { name: 'May be filled by parts' }).isChecked(),
    }),
  }
  return desk
}

describe('a local account trades', () => {
  browserTest('sells to the fill: offers, approval, signature, events, settlement, balances', async () => {
    const opened = await open()
    const { page } = opened
    const desk = readDesk(page)
    await desk.sellAmount.fill('1')
    // without a wallet there are offers
    const offer = desk.panel('Offer')
    await offer.getByText(/^Offer \d/).waitFor({ timeout: waitMs })
    expect(await offer.getByRole('row').count()).toBe(6)
    expect(await offer.getByRole('row').last().textContent()).toMatch(/what you sign/)
    expect(await desk.buyAmount.inputValue()).toMatch(/^2\d{3}\.\d+$/)
    await page
      .getByText(/^About \$[23],\d{3}\.\d\d$/)
      .first()
      .waitFor()

    await desk.connect(/Local account 0/)
    await desk.seeBalance('You sell', '100 WETH')
    await desk.button('Approve WETH').click({ timeout: waitMs })
    const uid = await desk.place('Sell 1 WETH')
    expect(await page.getByRole('heading', { name: 'Your order' }).evaluate((own) => own.matches(':focus'))).toBe(true)
    await desk.seeStatus('Filled')
    await desk.seeBalance('You sell', '99 WETH')
    const order = await book.get<Record<string, string>>(`/orders/${uid}`)
    expect(order).toMatchObject({
      status: 'fulfilled',
      owner: account(0).address,
      sellAmount: String(parseEther('1')),
      executedSellAmount: String(parseEther('1')),
      class: 'market',
      appData: expect.stringContaining('edgebook console'),
    })
    expect(order.quoteId).not.toBeNull()
    const events = desk.panel('Your order').getByRole('listitem')
    expect(await events.first().textContent()).toMatch(/^It was filled on the chain/)
    expect(await events.last().textContent()).toMatch(/^The order book has the order/)
    const [trade] = await book.get<{ txHash: string }[]>(`/v2/trades?orderUid=${uid}`)
    const settlement = desk.panel('Your order').locator(`a[href*="${trade?.txHash}"]`)
    expect(await settlement.getAttribute('href')).toMatch(/^\/transactions\//)
    await desk
      .panel('Newest orders of this account')
      .getByRole('link', { name: /^Sell 1 WETH/ })
      .waitFor()
    await opened.close()
  })

  browserTest('buys to the fill, tokens picked by the keyboard, approved once and for all', async () => {
    const opened = await open()
    const { page } = opened
    const desk = readDesk(page)
    await desk.connect(/Local account 1/)
    await desk.pick('Token to buy', 'dai')
    await desk.pick('Token to sell', 'USDC')
    await desk.buyAmount.fill('250')
    await page.getByRole('radio', { name: /^Unlimited/ }).check({ timeout: waitMs })
    await desk.button('Approve USDC').click()
    const uid = await desk.place('Buy 250 DAI')
    await desk.seeStatus('Filled')
    const order = await book.get<Record<string, string>>(`/orders/${uid}`)
    expect(order).toMatchObject({ kind: 'buy', executedBuyAmount: String(parseEther('250')), sellToken: token('USDC') })
    // approved for good: the next one is signed at once, and pays out the network's own token
    await desk.pick('Token to buy', 'ETH')
    await desk.buyAmount.fill('0.1')
    await desk.place('Buy 0.1 ETH')
    await desk.seeStatus('Filled')
    await opened.close()
  })

  browserTest('a limit order is filled partly, and the rest is cancelled', async () => {
    const shallow = await deployShallowToken(stack.chain, 'SHALLOW', '10', '30000')
    await shallow.fund(account(2).address, '5000')
    // the pool pays 1 / 3,000 for the first atom, and the limit of 1 / 3,300 up to about 1,400 of 5,000 tokens
    const terms = `&sell=${shallow.address}&buy=${token('WETH')}&amount=5000&type=limit&price=3300&per=buy&partial=1`
    const opened = await open(terms)
    const { page } = opened
    const desk = readDesk(page)
    await desk.connect(/Local account 2/)
    await desk.panel('What you sign').getByText('You get at least 1.5151515').waitFor({ timeout: waitMs })
    const uid = await desk.place('Place a limit order: sell 5,000 SHALLOW')
    await desk.seeStatus('Open, partly filled')
    const part = await book.get<Record<string, string>>(`/orders/${uid}`)
    const sold = BigInt(part.executedSellAmount ?? 0)
    expect(sold).toBeGreaterThan(parseEther('1300'))
    expect(sold).toBeLessThan(parseEther('1500'))
    await desk
      .panel('Your order')
      .getByRole('listitem')
      .getByText(/^A part of it was settled/)
      .waitFor()
    const shown = desk.panel('Your order').locator('.facts .amount').first()
    expect(await shown.getAttribute('title')).toBe(`${sold} atoms of ${shallow.address.toLowerCase()}`)

    await desk.button('Cancel the order').click()
    await desk.seeStatus('Cancelled, partly filled')
    await desk
      .panel('Your order')
      .getByText(/^Cancelled\./)
      .waitFor()
    expect(await book.get(`/orders/${uid}`)).toMatchObject({ status: 'cancelled', executedSellAmount: String(sold) })
    await opened.close()
  })
})

describe('an order that the network makes difficult', () => {
  browserTest('is sent again when nobody knows whether it arrived, and is there once', async () => {
    const opened = await open('', { expectedStatuses: [400] })
    const { page } = opened
    const desk = readDesk(page)
    let isFirst = true
    await page.route('**/api/v1/orders', async (route) => {
      if (!isFirst) return route.continue()
      isFirst = false
      await route.fetch()
      await route.abort('aborted')
    })
    await desk.connect(/Local account 1/)
    await desk.pick('Token to sell', 'DAI')
    await desk.sellAmount.fill('30')
    await desk.button('Approve DAI').click({ timeout: waitMs })
    await desk.button('Sell 30 DAI').click({ timeout: waitMs })
    await desk.button('Send the signed order again').click({ timeout: waitMs })
    await desk.seeStatus('Filled')
    const orders = await book.get<{ sellToken: string }[]>(`/account/${account(1).address}/orders`)
    expect(orders.filter(({ sellToken }) => sellToken === token('DAI'))).toHaveLength(1)
    await opened.close()
  })

  browserTest('with a price of its own needs no offer of the market', async () => {
    const lonely = await deployToken(stack.chain, 'LONELY')
    await mintToken(stack.chain, lonely, account(2).address, parseEther('5'))
    const opened = await open(`&sell=${lonely}&buy=${token('WETH')}&amount=5&type=limit&price=0.1`, {
      expectedStatuses: [400],
    })
    const { page } = opened
    const desk = readDesk(page)
    await page.getByRole('alert').getByText('NoLiquidity').waitFor({ timeout: waitMs })
    await desk.connect(/Local account 2/)
    await desk.button('Approve LONELY').click({ timeout: waitMs })
    const uid = await desk.place('Place a limit order: sell 5 LONELY')
    await desk.seeStatus('Open')
    expect(await book.get(`/orders/${uid}`)).toMatchObject({
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

/** Answers the page's quotes with what `change` makes of the last offer that came. */
const changeOffers = (page: Page, change: (offer: Streamed) => Streamed[]) =>
  page.route('**/quote/stream', async (route) => {
    const response = await route.fetch()
    const offers = (await response.text()).split('\n\n').flatMap((event) => /^data: (.*)$/m.exec(event)?.[1] ?? [])
    const changed = change(JSON.parse(offers.at(-1) ?? '{}'))
    await route.fulfill({ response, body: changed.map((offer) => `data: ${JSON.stringify(offer)}\n\n`).join('') })
  })

describe('an offer', () => {
  browserTest('gives way to a better one, which says by how much', async () => {
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
    await desk.panel('Offer').getByText('Offer 2, better by 2.04 %.').waitFor({ timeout: waitMs })
    await opened.close()
  })

  browserTest('is not signed when it is not what is shown', async () => {
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
    await desk.button(/^(Approve|Sell 1) WETH$/).waitFor({ timeout: waitMs })
    if (await desk.button('Approve WETH').isVisible()) await desk.button('Approve WETH').click()
    await desk.button('Sell 1 WETH').click({ timeout: waitMs })
    await page
      .getByRole('alert')
      .getByText(/^Nothing was signed: .*\(receiver, buyAmount\)/)
      .waitFor()
    expect(asked.filter((body) => body.includes('eth_signTypedData_v4'))).toEqual([])
    await opened.close()
  })
})

describe('what goes wrong is said', () => {
  browserTest('with the numbers of the order book: a quote that does not cover its costs', async () => {
    const opened = await open('&amount=0.0001', { expectedStatuses: [400] })
    const alert = opened.page.getByRole('alert')
    await alert.getByText('SellAmountDoesNotCoverFee').waitFor({ timeout: waitMs })
    expect(await alert.textContent()).toContain(`sellAmountBeforeFee${parseUnits('0.0001', 18)}`)
    await opened.close()
  })

  browserTest('with the numbers of the order book: an order that its owner cannot pay', async () => {
    const opened = await open('', { expectedStatuses: [400] })
    const { page } = opened
    // nobody tells the page what the account has, so it leaves that to the order book
    await page.route('**/balances/sse**', (route) => route.fulfill({ status: 204 }))
    const desk = readDesk(page)
    await desk.connect(/Local account 3/)
    await desk.sellAmount.fill('101')
    await desk.button('Sell 101 WETH').click({ timeout: waitMs })
    const alert = page.getByRole('alert')
    await alert.getByText('InsufficientBalance').waitFor({ timeout: waitMs })
    expect(await alert.textContent()).toContain(`available${parseEther('100')}required${parseEther('101')}`)
    await opened.close()
  })

  browserTest('before anything is signed, when the page knows better', async () => {
    const opened = await open()
    const desk = readDesk(opened.page)
    await desk.connect(/Local account 3/)
    await desk.sellAmount.fill('101')
    await opened.page.getByText('Your account has 100 WETH, and the order needs 101 WETH.').waitFor({ timeout: waitMs })
    expect(await desk.button('Not enough WETH').isDisabled()).toBe(true)
    await desk.sellAmount.fill('1,5')
    await opened.page.getByText('Write a point before the decimals').waitFor()
    expect(await desk.sellAmount.getAttribute('aria-invalid')).toBe('true')
    await opened.close()
  })

  browserTest('before anything is asked, of a token that does not say its decimals', async () => {
    const silent = await deployToken(stack.chain, 'SILENT')
    const opened = await open()
    const { page } = opened
    const desk = readDesk(page)
    await page.route('**/tokens/details', async (route) => {
      const response = await route.fetch()
      const tokens = (await response.json()) as object[]
      await route.fulfill({ response, json: tokens.map((details) => ({ ...details, decimals: undefined })) })
    })
    const asked: string[] = []
    page.on('request', (request) => void asked.push(request.url()))
    await page.goto(`${stack.info.baseUrl}/?network=sepolia&sell=${token('WETH')}&buy=${silent}&kind=buy&amount=1000`)
    await page.getByText('This token does not say its decimals; it cannot be traded here.').waitFor({ timeout: waitMs })
    await desk.button('Connect a wallet').first().waitFor()
    await desk.connect(/Local account 1/)
    expect(await desk.panel('What you sign').getByRole('button').isDisabled()).toBe(true)
    expect(asked.filter((url) => url.includes('/quote'))).toEqual([])
    await opened.close()
  })
})

/** A wallet of the browser, as an extension announces it; what it is asked is answered here. */
const installWallet = async (page: Page, answer: (method: string, params: unknown[]) => Promise<unknown>) => {
  await page.exposeFunction('askWallet', async (method: string, params: unknown[]) => {
    try {
      return { result: await answer(method, params) }
    } catch (error) {
      const { code, message } = error as { code?: number; message: string }
      return { error: { code, message } }
    }
  })
  await page.addInitScript(`{
    const listeners = new Map()
    const provider = {
      request: async ({ method, params = [] }) => {
        const { result, error } = await window.askWallet(method, params)
        if (error) throw Object.assign(new Error(error.message), error)
        return result
      },
      on: (event, listener) => listeners.set(event, listener),
      removeListener: (event) => listeners.delete(event),
    }
    window.emitFromWallet = (event, value) => listeners.get(event)?.(value)
    const icon = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>'
    const info = { uuid: '1', name: 'Test wallet', rdns: 'test.wallet', icon }
    const announce = () =>
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
    window.addEventListener('eip6963:requestProvider', announce)
    announce()
    // somebody who is no wallet
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info: { rdns: 7 } } }))
  }`)
}

const askNode = async (method: string, params: unknown[]): Promise<unknown> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(stack.info.rpcUrl, { method: 'POST', headers, body })
  const { result, error } = (await response.json()) as { result?: unknown; error?: { code: number; message: string } }
  if (error) throw error
  return result
}

describe('an injected wallet', () => {
  browserTest('is found, sent to the right network, may refuse, signs, and is there again after a reload', async () => {
    const { address, privateKey } = account(3)
    const signer = privateKeyToAccount(privateKey)
    let chainId = '0x1'
    let isRefusing = true
    const asked: string[] = []
    const opened = await open()
    const { page } = opened
    await installWallet(page, async (method, params) => {
      asked.push(method)
      if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [signer.address]
      if (method === 'eth_chainId') return chainId
      if (method === 'wallet_switchEthereumChain') {
        if (isRefusing) throw { code: 4902, message: 'Unrecognized chain ID' }
        chainId = (params[0] as { chainId: string }).chainId
        return null
      }
      if (method !== 'eth_signTypedData_v4') return askNode(method, params)
      if (isRefusing) throw { code: 4001, message: 'User denied message signature.' }
      return signer.signTypedData(JSON.parse(String(params[1])))
    })
    await page.goto(`${stack.info.baseUrl}/?network=sepolia&sell=${token('USDC')}&buy=${token('WETH')}&amount=300`)
    const desk = readDesk(page)
    await desk.connect('Test wallet')
    await desk.button('Switch the wallet to Sepolia').first().click()
    await page.getByText('Your wallet does not know Sepolia. Add the network with the chain id 11155111').waitFor()
    isRefusing = false
    await desk.button('Switch the wallet to Sepolia').first().click()
    await desk.button('Approve USDC').click({ timeout: waitMs })

    isRefusing = true
    await desk.button('Sell 300 USDC').click({ timeout: waitMs })
    await page.getByRole('alert').getByText('You rejected the request in your wallet.').waitFor()
    isRefusing = false
    const uid = await desk.place('Sell 300 USDC')
    await desk.seeStatus('Filled')
    expect(await book.get(`/orders/${uid}`)).toMatchObject({ owner: address, status: 'fulfilled' })

    // the same wallet, the same order, and nobody is asked for permission again
    asked.length = 0
    await page.reload()
    await page.getByText('Connected:').waitFor()
    await desk.seeStatus('Filled')
    expect(asked).not.toContain('eth_requestAccounts')
    const other = account(1).address
    await page.evaluate(`window.emitFromWallet('accountsChanged', ${JSON.stringify([other])})`)
    await desk.panel('Wallet').getByTitle(other).waitFor()
    await desk.button('Disconnect').click()
    await page.getByText('No wallet is connected.').waitFor()
    await opened.close()
  })

  browserTest('signs what is shown for whoever was asked, and brings nobody back who has left', async () => {
    const { address, privateKey } = account(3)
    const signer = privateKeyToAccount(privateKey)
    let release = () => undefined as unknown
    const opened = await open()
    const { page } = opened
    await installWallet(page, async (method, params) => {
      if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [signer.address]
      if (method === 'eth_chainId') return '0xaa36a7'
      if (method !== 'eth_signTypedData_v4') return askNode(method, params)
      await new Promise((resolve) => {
        release = () => resolve(undefined)
      })
      return signer.signTypedData(JSON.parse(String(params[1])))
    })
    const posted: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/v1/orders')) posted.push(request.url())
    })
    const terms = `&sell=${token('USDC')}&buy=${token('WETH')}&amount=10&type=limit&price=0.001`
    await page.goto(`${stack.info.baseUrl}/?network=sepolia${terms}`)
    const desk = readDesk(page)
    await desk.connect('Test wallet')
    await desk.button('Approve USDC').click({ timeout: waitMs })
    await desk.button('Place a limit order: sell 10 USDC').click({ timeout: waitMs })
    await desk.button('Sign in your wallet …').waitFor()
    expect(await desk.sellAmount.isDisabled()).toBe(true)
    // even when the page's terms become others, what the wallet has stays in view
    await page.evaluate(`{
      history.replaceState(null, '', location.href.replace('amount=10', 'amount=20'))
      dispatchEvent(new PopStateEvent('popstate'))
    }`)
    await page.waitForFunction(`document.querySelector('.amount-input').value === '20'`)
    await desk.panel('What you sign').getByText('You sell exactly 10 USDC.').waitFor()

    await page.evaluate(`window.emitFromWallet('accountsChanged', ${JSON.stringify([account(1).address])})`)
    await page.getByRole('alert').getByText('The account changed while the wallet was open.').waitFor()
    release()
    await page.evaluate(`window.emitFromWallet('accountsChanged', ${JSON.stringify([address])})`)
    await desk.sellAmount.fill('10')
    await desk.button('Place a limit order: sell 10 USDC').click({ timeout: waitMs })
    await desk.button('Sign in your wallet …').waitFor()
    expect(posted).toEqual([])

    await page.getByRole('link', { name: 'Status' }).click()
    await page.getByRole('heading', { level: 1, name: /Status/ }).waitFor()
    const answered = page.waitForResponse((response) => response.url().endsWith('/api/v1/orders'))
    release()
    expect((await answered).status()).toBe(201)
    await page.waitForTimeout(500)
    expect(new URL(page.url()).pathname).toBe('/status')
    const [newest] = await book.get<object[]>(`/account/${address}/orders`)
    expect(newest).toMatchObject({ sellAmount: '10000000', status: 'open' })
    await opened.close()
  })
})

describe('a link', () => {
  browserTest('reopens the same trade and the order that is followed; the order is cancelled there', async () => {
    const opened = await open()
    const { page } = opened
    const desk = readDesk(page)
    await desk.connect(/Local account 0/)
    await page.getByRole('radio', { name: 'Limit order' }).check()
    await desk.sellAmount.fill('0.5')
    await page.getByRole('button', { name: 'Use the market’s price' }).waitFor({ timeout: waitMs })
    await page.getByRole('textbox', { name: 'Price' }).fill('4000')
    await page.getByText('More:').click()
    await page.getByRole('checkbox', { name: 'May be filled by parts' }).check()
    const fields = await desk.fields()
    expect(fields).toEqual({
      sell: 'WETH',
      buy: 'USDC',
      sellAmount: '0.5',
      buyAmount: '2000',
      isLimit: true,
      isByParts: true,
    })
    const again = await open(`&${new URL(page.url()).search.slice(1)}`)
    const desk2 = readDesk(again.page)
    await again.page.getByRole('button', { name: 'Use the market’s price' }).waitFor({ timeout: waitMs })
    expect(await desk2.fields()).toEqual(fields)
    await again.close()

    if (await desk.button('Approve WETH').isVisible()) await desk.button('Approve WETH').click()
    await desk.place('Place a limit order: sell 0.5 WETH')
    await page.reload()
    await desk.seeStatus('Open')
    await page.getByText('Connected:').waitFor()
    await desk.button('Cancel the order').click({ timeout: waitMs })
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
  browserTest('everybody can use it', async () => {
    const opened = await open('&type=limit&amount=1&price=3100&partial=1', look)
    const { page } = opened
    const desk = readDesk(page)
    const expectUsable = async () => {
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
    }
    await desk.button('Connect a wallet').first().click()
    await page.getByRole('button', { name: /Local account 0/ }).waitFor()
    await expectUsable()
    await page.getByRole('button', { name: /Local account 0/ }).click()
    await page.getByRole('button', { name: 'Use the market’s price' }).waitFor({ timeout: waitMs })
    await expectUsable()
    await page.getByRole('combobox', { name: 'Token to buy' }).click()
    await page.getByRole('option', { name: /DAI/ }).waitFor()
    await expectUsable()
    await page.keyboard.press('Escape')
    await page.getByRole('radio', { name: 'Market order' }).check()
    await desk
      .panel('Offer')
      .getByText(/^Offer \d/)
      .waitFor({ timeout: waitMs })
    await expectUsable()
    await opened.close()
  })
})
