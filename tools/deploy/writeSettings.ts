import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** Writes settings into a file, in place of earlier lines; a new file is readable by this user only. */
export const writeSettings = (file: string, settings: Readonly<Record<string, string>>): void => {
  let lines = existsSync(file) ? readFileSync(file, 'utf8').replace(/\n$/, '').split('\n') : []
  for (const [name, value] of Object.entries(settings)) {
    const line = `${name}=${/["#\s]/.test(value) ? `'${value}'` : value}`
    const at = lines.findIndex((text) => text.split('=')[0]?.trim() === name)
    lines = at < 0 ? [...lines, line] : lines.with(at, line)
  }
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 })
}
