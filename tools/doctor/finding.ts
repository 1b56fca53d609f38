/** One line of the report. `limited`: works with reduced function. */
export type Finding = {
  state: 'ok' | 'limited' | 'wrong'
  /** the checked item */
  name: string
  /** the result in a few words; never a secret */
  detail: string
  /** what to do, unless ok */
  remedy?: string
}

export const ok = (name: string, detail: string): Finding => ({ state: 'ok', name, detail })
export const limited = (name: string, detail: string, remedy: string): Finding => ({
  state: 'limited',
  name,
  detail,
  remedy,
})
export const wrong = (name: string, detail: string, remedy: string): Finding => ({
  state: 'wrong',
  name,
  detail,
  remedy,
})
