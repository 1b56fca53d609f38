import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
let axeSource: Promise<string> | undefined

/** Serious and critical violations that axe-core finds on a page, as text with the element. */
export const findAxeViolations = async (page: Page): Promise<string[]> => {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await load(page)
  const { violations } = await page.evaluate<AxeResults>(`axe.run({ resultTypes: ['violations'] })`)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, impact, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${impact}: ${id} (${help})\n  ${html}\n  ${failureSummary}`),
    )
}

const load = async (page: Page): Promise<void> => {
  axeSource ??= readFile(axeFile, 'utf8')
  // evaluated as a debugger does: a script element would violate the policy under test
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: await axeSource })
  await session.detach()
}
