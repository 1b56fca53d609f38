import { parseEther } from 'viem'
import { expect } from 'vitest'
import { deployShallowToken } from '../helpers/chain/shallowToken.ts'
import { browserTest } from '../helpers/console/browser.ts'
import { createWallet } from '../helpers/console/createWallet.ts'
import { readDesk } from '../helpers/console/readDesk.ts'
import { setUpConsole } from '../helpers/console/setUpConsole.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { useSharedStack } from '../helpers/stack/useSharedStack.ts'

const own = setUpConsole(() => useSharedStack())
const { token, account } = own

/** The trade page with a wallet that has the key of an account. */
const openWithWallet = async (index: number, query = '') => {
  const wallet = createWallet(own.stack.info, account(index).privateKey)
  const opened = await own.open(`/?network=sepolia${query}`, { prepare: wallet.install })
  return { ...opened, desk: readDesk(opened.page), wallet }
}

browserTest('a wallet sells to the fill: offers, approval, signature, events, settlement, balances', async () => {
  const { page, desk, wallet, close } = await openWithWallet(0)
  await desk.sellAmount.fill('1')
  // offers without a wallet
  const quote = desk.panel('Quote')
  await quote.getByText(/^Live price/).waitFor()
  for (const line of ['Network cost', 'Price impact', 'Minimum received', 'Valid for'])
    await quote.getByText(line, { exact: true }).waitFor()
  await quote.getByRole('button', { name: /^1 WETH = / }).click()
  expect(await quote.getByRole('row').count()).toBe(6)
  expect(await quote.getByRole('row').last().textContent()).toMatch(/\(signed\)/)
  expect(await desk.buyAmount.inputValue()).toMatch(/^2,\d{3}\.\d+$/)
  await page
    .getByText(/^\$[23],\d{3}\.\d\d$/)
    .first()
    .waitFor()

  await desk.connect(wallet.name)
  await desk.seeBalance('Sell', '100 WETH')
  await desk.button('Approve WETH').click()
  // the title of the tab and a message announce the fill for some seconds
  await page.evaluate(`{
    window.announced = new Set()
    const look = () => {
      announced.add(document.title)
      for (const part of document.querySelectorAll('[role=log] *'))
        if (part.checkVisibility()) announced.add(part.textContent)
    }
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true })
  }`)
  const uid = await desk.place('Swap 1 WETH')
  expect(
    await page.getByRole('heading', { name: 'Your order', exact: true }).evaluate((own) => own.matches(':focus')),
  ).toBe(true)
  await desk.seeStatus('Filled')
  await expect
    .poll(() => page.evaluate<string[]>('[...announced]'), { timeout: patienceMs })
    .toEqual(expect.arrayContaining([expect.stringMatching(/^✓ Order filled · /), expect.stringContaining('Filled')]))
  // the list has it among the past orders
  await page.getByRole('tab', { name: 'History' }).click()
  const rows = desk.panel('Your orders').getByRole('listitem')
  const row = rows.filter({ has: page.locator(`a[href*="${uid}"]`) })
  await row.locator('.chip.ok').waitFor()
  await row.getByRole('link', { name: 'Trade again' }).waitFor()
  await desk.seeBalance('Sell', '99 WETH')
  const order = await own.book.get<Record<string, string>>(`/orders/${uid}`)
  expect(order).toMatchObject({
    status: 'fulfilled',
    owner: account(0).address,
    sellAmount: String(parseEther('1')),
    executedSellAmount: String(parseEther('1')),
    class: 'limit',
    appData: expect.stringContaining('edgebook console'),
  })
  expect(order.quoteId).not.toBeNull()
  const events = desk.panel('Your order').getByRole('listitem')
  expect(await events.first().textContent()).toMatch(/^Filled/)
  expect(await events.last().textContent()).toMatch(/^Order placed/)
  const [trade] = await own.book.get<{ txHash: string }[]>(`/v2/trades?orderUid=${uid}`)
  const settlement = desk.panel('Your order').locator(`a[href*="${trade?.txHash}"]`)
  expect(await settlement.getAttribute('href')).toMatch(/^\/transactions\//)
  await desk
    .panel('Your orders')
    .getByRole('link', { name: /^1 WETH/ })
    .waitFor()
  await close()
})

browserTest('a limit order is filled partly, and the rest is cancelled', async () => {
  const shallow = await deployShallowToken(own.stack.chain, 'SHALLOW', '10', '30000')
  await shallow.fund(account(2).address, '5000')
  // the pool pays 1 / 3,000 for the first atom, and the limit of 1 / 3,300 up to about 1,400 of 5,000 tokens
  const terms = `&sell=${shallow.address}&buy=${token('WETH')}&amount=5000&type=limit&price=3300&per=buy&partial=1`
  const { desk, wallet, close } = await openWithWallet(2, terms)
  await desk.connect(wallet.name)
  await desk.panel('Quote').getByText('1.5151515').waitFor()
  const uid = await desk.place('Limit sell 5,000 SHALLOW')
  await desk.seeStatus('Partially filled')
  const part = await own.book.get<Record<string, string>>(`/orders/${uid}`)
  const sold = BigInt(part.executedSellAmount ?? 0)
  expect(sold).toBeGreaterThan(parseEther('1300'))
  expect(sold).toBeLessThan(parseEther('1500'))
  await desk
    .panel('Your order')
    .getByRole('listitem')
    .getByText(/^Partially filled/)
    .waitFor()
  const shown = desk.panel('Your order').locator('.facts .amount').first()
  expect(await shown.getAttribute('title')).toBe(`${sold} atoms of ${shallow.address.toLowerCase()}`)

  await desk.button('Cancel order').click()
  await desk.seeStatus('Cancelled, partially filled')
  await desk
    .panel('Your order')
    .getByText(/^Cancelled\. /)
    .waitFor()
  expect(await own.book.get(`/orders/${uid}`)).toMatchObject({
    status: 'cancelled',
    executedSellAmount: String(sold),
  })
  await close()
})
