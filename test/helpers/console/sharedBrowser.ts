import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchBrowser } from '#tools/browser/launchBrowser.ts'

/** Pages of a context share a renderer; starting one takes as long as a small page. */
const flags = ['--renderer-process-limit=1']

let launched: Promise<Browser> | undefined

/** The browser of this worker process, which its test files use one after the other; it ends with the process. */
export const useBrowser = (): Promise<Browser> => {
  launched ??= launch()
  return launched
}

const launch = (): Promise<Browser> => {
  // vitest ends its workers by this signal; a regular exit removes the browser's profile
  process.once('SIGTERM', () => process.exit())
  return launchBrowser(flags)
}

/** Contexts that no test uses, by browser. */
const unused = new WeakMap<Browser, BrowserContext[]>()

/**
 * Opens a blank page without stored data of an origin, in a context that has no other page until `release`. Later pages use
 * the context again, because its renderer has the console's scripts compiled: half of the processor time of a page.
 */
export const takePage = async (
  browser: Browser,
  origin: string,
): Promise<{ page: Page; release: () => Promise<void> }> => {
  const context = unused.get(browser)?.pop() ?? (await openContext(browser))
  const page = await context.newPage()
  await forget(page, origin)
  return {
    page,
    release: async () => {
      await page.close()
      unused.set(browser, [...(unused.get(browser) ?? []), context])
    },
  }
}

/** Closes the pages that failed tests have left open. */
export const closePages = async (browser: Browser | undefined): Promise<void> => {
  const left = browser?.contexts().filter((context) => !unused.get(browser)?.includes(context)) ?? []
  await Promise.all(left.map((context) => context.close()))
}

const openContext = async (browser: Browser): Promise<BrowserContext> => {
  const context = await browser.newContext()
  // keeps the renderer alive between two tests
  await context.newPage()
  return context
}

/** Removes stored values, permissions and cached responses. */
const forget = async (page: Page, origin: string): Promise<void> => {
  const context = page.context()
  await context.clearCookies()
  await context.clearPermissions()
  const session = await context.newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await session.send('Network.clearBrowserCache')
  await session.detach()
}
