/** One line of the report. `limited`: works, with less than there could be. */
export type Finding = {
  state: 'ok' | 'limited' | 'wrong'
  /** what was looked at */
  name: string
  /** what was found, in a few words; never a secret */
  detail: string
  /** what to do about it, unless it is ok */
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
