import { writeFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'

export type Picture = {
  /** file name without extension */
  name: string
  url: string
  /** brings the page into its state for the picture */
  prepare: (page: Page) => Promise<void>
  /** selects the last element of the picture */
  until: string
}

const size = { width: 1_280, height: 800 }
/** Margin below the last element, pixels. */
const margin = 12
/** Limit for pictures in the repository: every reader of the README loads them. */
const maxBytes = 300 * 1_024

/**
 * Takes a picture of a page in both themes, `<name>.png` and `<name>-dark.png`.
 * @param save returns the path of a file
 * @throws Error when a page logs an error, or a picture is too large
 */
export const takePicture = async (
  browser: Browser,
  { name, url, prepare, until }: Picture,
  save: (name: string) => string,
): Promise<void> => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({
      viewport: size,
      colorScheme,
      reducedMotion: 'reduce',
      timezoneId: 'UTC',
    })
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', ({ message }) => void errors.push(message))
    page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())))
    await page.goto(url)
    await prepare(page)
    const picture = await page.screenshot({
      animations: 'disabled',
      caret: 'hide',
      fullPage: true,
      clip: { x: 0, y: 0, width: size.width, height: (await findEnd(page, until)) + margin },
    })
    await context.close()
    if (errors.length > 0) throw new Error(`${url}: ${errors.join('; ')}`)
    if (picture.length > maxBytes) throw new Error(`${name} has ${picture.length} bytes; the limit is ${maxBytes}`)
    await writeFile(save(colorScheme === 'dark' ? `${name}-dark.png` : `${name}.png`), picture)
  }
}

/** Pixels from the top of the page to the lower edge of the last matching element. */
const findEnd = async (page: Page, selector: string): Promise<number> => {
  await page.evaluate('scrollTo(0, 0)')
  const box = await page.locator(selector).last().boundingBox()
  if (!box) throw new Error(`${page.url()} has no ${selector}`)
  return Math.ceil(box.y + box.height)
}
