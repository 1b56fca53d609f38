import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect } from 'vitest'
import type { DevAccount } from '#tools/stack/chain/devAccounts.ts'
import {
  browserTest,
  type ConsoleOptions,
  expectAccessible,
  expectNoSidewaysScroll,
  hasBrowser,
} from '../helpers/console/browser.ts'
import { createWallet, rejection } from '../helpers/console/createWallet.ts'
import { setUpConsole } from '../helpers/console/setUpConsole.ts'
import { createTrader } from '../helpers/orders/createTrader.ts'
import { fillSwap } from '../helpers/orders/fillSwap.ts'
import { postSignedOrder } from '../helpers/orders/postSignedOrder.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { connectSinks } from '../helpers/stack/subscriber.ts'
import { useSharedStack } from '../helpers/stack/useSharedStack.ts'

const own = setUpConsole(() => useSharedStack())
const { token } = own
let trader: DevAccount
let filled: string
let waiting: string
let cancelled: string

beforeAll(async () => {
  if (!hasBrowser) return
  trader = await createTrader(own.stack)
  const place = (sellAmount: bigint) =>
    postSignedOrder(own.stack.info, trader.privateKey, {
      ...{ sellToken: token('WETH'), buyToken: token('USDC'), sellAmount, buyAmount: 10n ** 12n },
    })
  waiting = await place(1_000_000_000_000_001n)
  cancelled = await place(10n ** 15n)
  await own.book.cancel(cancelled, trader.privateKey)
  filled = await fillSwap(own.stack.info, trader.privateKey)
})

const open = (path: string, options: ConsoleOptions = {}) => {
  const url = new URL(path, 'http://console')
  url.searchParams.set('network', own.stack.info.network)
  return own.open(url.pathname + url.search, options)
}
const linkTo = (page: Page, uid: string) => page.locator(`[role=tabpanel] a[href*="${uid}"]`)

const sizes = [320, 1_280, 1_920].flatMap((width) => [false, true].map((dark) => ({ width, dark })))

describe('the page of an account', () => {
  browserTest('totals count the orders by state and lead to them, and every filter is a link', async () => {
    const { page, close } = await open(`/accounts/${trader.address}`)
    await linkTo(page, waiting).waitFor()
    await linkTo(page, cancelled).waitFor()
    const states = page.getByRole('list', { name: 'Orders by state' })
    await states.getByRole('link', { name: 'Cancelled 1' }).click()
    await linkTo(page, waiting).waitFor({ state: 'detached' })
    expect(await linkTo(page, cancelled).count()).toBe(1)
    expect(new URL(page.url()).searchParams.get('state')).toBe('cancelled')
    await states.getByRole('link', { name: 'Open 1' }).waitFor()
    await page.getByRole('combobox', { name: 'State' }).selectOption('fulfilled')
    await linkTo(page, filled).waitFor()
    expect(await linkTo(page, cancelled).count()).toBe(0)
    await page.getByRole('combobox', { name: 'State' }).selectOption('partial')
    await page.getByText('This account has no such orders.').waitFor()
    await page.goBack()
    await linkTo(page, filled).waitFor()
    await close()
  })

  browserTest('a token of the address narrows orders and trades', async () => {
    const { page, close } = await open(`/accounts/${trader.address}?token=${token('COW')}`)
    await page.getByText('This account has no such orders.').waitFor()
    await page.getByRole('tab', { name: 'Trades' }).click()
    await page.getByText('There are no such trades.').waitFor()
    await page.getByLabel('Token').fill(token('WETH'))
    await page.getByRole('button', { name: 'Filter' }).click()
    await linkTo(page, filled).waitFor()
    await close()
  })

  const download = async (page: Page): Promise<{ name: string; text: string }> => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ])
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
  }
  const toRecords = (text: string): Record<string, string>[] => {
    const [header = [], ...rows] = text
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','))
    return rows.map((cells) => Object.fromEntries(header.map((name, place) => [name, cells[place] ?? ''])))
  }

  browserTest('orders and trades are saved with exact amounts and ISO dates', async () => {
    const { page, close } = await open(`/accounts/${trader.address}`)
    await linkTo(page, waiting).waitFor()
    const orders = await download(page)
    expect(orders.name).toBe(`orders-${trader.address}-${own.stack.info.network}.csv`)
    const records = toRecords(orders.text)
    expect(records.map(({ uid }) => uid).toSorted()).toEqual([filled, waiting, cancelled].toSorted())
    const unfilled = records.find(({ uid }) => uid === waiting)
    expect(unfilled).toMatchObject({
      ...{ status: 'open', sellSymbol: 'WETH', sellAmount: '0.001000000000000001' },
      ...{ sellAmountAtoms: '1000000000000001', buyAmount: '1000000' },
    })
    const sold = records.find(({ uid }) => uid === filled)
    expect(Number(sold?.fee)).toBeGreaterThan(0)
    expect(Number(sold?.price)).toBeGreaterThan(100)
    expect(unfilled?.created).toBe(new Date(unfilled?.created ?? '').toISOString())
    await page.getByText('Saved 3 orders').waitFor()
    await page.getByRole('tab', { name: 'Trades' }).click()
    await linkTo(page, filled).waitFor()
    const trades = await download(page)
    const [trade] = toRecords(trades.text)
    expect(trade).toMatchObject({ orderUid: filled, owner: trader.address, sellSymbol: 'WETH', price: sold?.price })
    expect(Number(trade?.volumeUsd)).toBeGreaterThan(1)
    const { baseUrl, network } = own.stack.info
    const response = await fetch(`${baseUrl}/${network}/api/v1/orders/${filled}/receipt`)
    type Paid = { receipt: { fills: { signedFee: string; fees: { total: string } }[] } }
    const { fills } = ((await response.json()) as Paid).receipt
    const paid = fills.reduce((sum, { signedFee, fees }) => sum + BigInt(signedFee) + BigInt(fees.total), 0n)
    expect([sold?.feeAtoms, trade?.feeAtoms]).toEqual([String(paid), String(paid)])
    expect([trade?.fee, trade?.feeToken]).toEqual([sold?.fee, token('WETH')])
    expect(trade?.feeUsd).toMatch(/^\d+\.\d\d$/)
    await close()
  })

  browserTest('balances have their value, and the owner revokes an approval', async () => {
    const wallet = createWallet(own.stack.info, trader.privateKey)
    const { page, close } = await open(`/accounts/${trader.address}`, { prepare: wallet.install })
    const balances = page.getByRole('region', { name: 'Balances' })
    const row = balances.getByRole('row', { name: /WETH/ })
    await row.getByText(/^\$/).waitFor()
    expect(await balances.getByRole('button', { name: 'Revoke' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Connect wallet' }).click()
    await page.getByRole('button', { name: wallet.name }).click()
    await row.getByRole('button', { name: 'Revoke the approval of WETH' }).click()
    // the stream of the balances has the new allowance
    await row.getByText('–').waitFor()
    expect(wallet.asked).toContain('eth_sendTransaction')
    await close()
  })

  browserTest.each(sizes)('fits and is accessible: %o', async (size) => {
    const { page, close } = await open(`/accounts/${trader.address}`, size)
    await page.getByRole('table', { name: 'Balances by value' }).waitFor()
    await linkTo(page, filled).waitFor()
    await page.getByRole('link', { name: 'Cancelled 1' }).waitFor()
    for (const name of ['Orders', 'Trades']) {
      await page.getByRole('tab', { name }).click()
      await linkTo(page, filled).waitFor()
      await expectNoSidewaysScroll(page)
      await expectAccessible(page)
    }
    await close()
  })
})

describe('the page of a token', () => {
  browserTest('has its facts, its markets, and its trades, orders and holders', async () => {
    // the index of holders is built after the first request
    const holders = `${own.stack.info.baseUrl}/${own.stack.info.network}/tokens/${token('WETH')}/topHolders`
    await expect.poll(async () => (await fetch(holders)).status, { timeout: patienceMs }).toBe(200)
    // tokens of other files' trades without details are a 404
    const { page, close } = await open(`/tokens/${token('WETH')}`, {
      expected: /tokens\/details returned 404$/,
    })
    await page.getByText('Listed', { exact: true }).waitFor()
    await page.locator('.tile', { hasText: 'Decimals' }).getByText('18', { exact: true }).waitFor()
    await page
      .locator('.tile', { hasText: 'Price' })
      .getByText(/^\$[\d,.]+$/)
      .waitFor()
    await page.getByRole('region', { name: 'Open book' }).getByRole('table', { name: 'Sell orders' }).waitFor()
    await linkTo(page, filled).first().waitFor()
    await page.getByRole('tab', { name: 'Orders' }).click()
    await linkTo(page, waiting).waitFor()
    expect(new URL(page.url()).searchParams.get('view')).toBe('orders')
    await page.getByRole('tab', { name: 'Holders' }).click()
    await page.locator('[role=tabpanel] tbody tr').first().waitFor()
    await page.locator('.token-markets').getByRole('link', { name: 'WETH / USDC' }).click()
    await page.waitForURL((url) => url.searchParams.get('buy') === token('USDC').toLowerCase())
    await close()
  })

  browserTest('an address without a token leads to the listed ones', async () => {
    const { page, close } = await open(`/tokens/0x${'0d'.repeat(20)}`, { expectedStatuses: [404] })
    await page.getByRole('heading', { name: 'Token not found' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'WETH', exact: true }).click()
    await page.getByText('Listed', { exact: true }).waitFor()
    await close()
  })

  browserTest.each(sizes)('fits and is accessible: %o', async (size) => {
    const { page, close } = await open(`/tokens/${token('USDC')}`, size)
    await linkTo(page, filled).first().waitFor()
    const sheet = page.locator('.market-sheets').getByRole('button', { name: 'Markets' })
    if (await sheet.isVisible()) await sheet.click()
    await page.getByRole('link', { name: 'USDC / WETH' }).waitFor()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await close()
  })
})

describe('the page of notification settings', () => {
  const connect = async (options: ConsoleOptions = {}) => {
    const wallet = createWallet(own.stack.info, trader.privateKey)
    const opened = await open('/notifications', { ...options, prepare: wallet.install })
    await opened.page.getByRole('button', { name: 'Connect a wallet' }).click()
    await opened.page.getByRole('button', { name: wallet.name }).click()
    await opened.page.getByRole('button', { name: 'Subscribe', exact: true }).waitFor()
    return { ...opened, wallet }
  }
  const row = (page: Page, text: string) => page.locator('.subscription', { hasText: text })

  browserTest('a webhook is subscribed, tested, failing and deleted with signatures', async () => {
    const { page, wallet, close } = await connect()
    const sinks = connectSinks(own.stack.info)
    const name = crypto.randomUUID()
    await page.getByText('Webhook', { exact: true }).last().click()
    await page.getByLabel('URL').fill(`${own.stack.info.sinksUrl}/webhooks/${name}`)
    await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
    await page.getByText('Subscribed.').waitFor()
    const secret = await page.locator('.notice .hex-text [title]').getAttribute('title')
    expect(secret).toMatch(/^whsec_/)
    await sinks.keepSecret(name, secret ?? '')
    await page.getByRole('button', { name: 'Show my subscriptions' }).click()
    await row(page, name).getByText('Ready').waitFor()
    await row(page, name).getByRole('button', { name: 'Send test' }).click()
    await row(page, name).getByText('The test message was delivered.').waitFor()
    await sinks.fail('webhook', { status: 500, times: 1 })
    await row(page, name).getByRole('button', { name: 'Send test' }).click()
    await row(page, name).getByText('The test message failed: responded with 500.').waitFor()
    await row(page, name).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('This account has no subscriptions.').waitFor()
    expect(wallet.asked.filter((method) => method === 'eth_signTypedData_v4')).toHaveLength(5)
    await close()
  })

  browserTest('an e-mail address waits for its confirmation, and a rejected signature sends nothing', async () => {
    const { page, wallet, close } = await connect()
    const mailbox = `józef.${crypto.randomUUID()}`
    const address = `${mailbox}@xn--bcher-kva.example`
    await page.getByText('E-mail', { exact: true }).last().click()
    await page.getByLabel('E-mail address').fill(`${mailbox}@bücher.example`)
    wallet.answers.eth_signTypedData_v4 = () => {
      throw rejection
    }
    await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
    await page.locator('.subscribe-form .notice.warning').waitFor()
    delete wallet.answers.eth_signTypedData_v4
    await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
    await page.getByText('Check your mail and open the link.').waitFor()
    expect(await connectSinks(own.stack.info).list(`?channel=email&to=${encodeURIComponent(address)}`)).toHaveLength(1)
    await page.getByRole('button', { name: 'Show my subscriptions' }).click()
    await row(page, address).getByText('Not confirmed').waitFor()
    await expectAccessible(page)
    await close()
  })

  browserTest('a fresh browser is subscribed with the first click, once its worker is active', async () => {
    const { page, close } = await connect({ expectedStatuses: [400] })
    await page.evaluate(`{
      Notification.requestPermission = async () => 'granted'
      const register = navigator.serviceWorker.register.bind(navigator.serviceWorker)
      let registration
      navigator.serviceWorker.register = async (url) => (registration = await register(url))
      PushManager.prototype.subscribe = async () => {
        if (registration.active?.state !== 'activated') throw new Error('no active service worker')
        const endpoint = 'https://push.example/' + crypto.randomUUID()
        return { toJSON: () => ({ endpoint, keys: { p256dh: 'B' + 'A'.repeat(86), auth: 'A'.repeat(22) } }) }
      }
    }`)
    await page.getByText('Browser', { exact: true }).last().click()
    const sent = page.waitForRequest((request) => request.method() === 'POST' && /subscriptions$/.test(request.url()))
    await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
    expect((await sent).postDataJSON()).toMatchObject({
      channel: 'push',
      target: { endpoint: expect.stringContaining('https://push.example/') },
    })
    await close()
  })

  browserTest('names the channels that the deployment lacks', async () => {
    const { page, close } = await open('/notifications', {
      prepare: (blank) =>
        blank.route('**/notifications/channels', async (route) => {
          const response = await route.fetch()
          const body = (await response.json()) as Record<string, unknown>
          await route.fulfill({
            response,
            json: { ...body, channels: ['webhook'], vapidPublicKey: null, telegramBot: null },
          })
        }),
    })
    await page.getByText('Not configured on this deployment: Browser, E-mail, and Telegram.').waitFor()
    await close()
  })

  browserTest.each(sizes)('fits and is accessible: %o', async (size) => {
    const { page, close } = await connect(size)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await close()
  })
})
