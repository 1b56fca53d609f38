type CommandOption = {
  type: 'string' | 'boolean'
  multiple?: boolean
  default?: string | boolean
  /** Name of a value, without brackets: `n`, `file`. */
  value?: string
  about: string
}

export type CommandOptions = Record<string, CommandOption>

export type Command = {
  /** As a user types it: `npm run bench`. */
  run: string
  about: string
  /** Names and meanings of the positional arguments; without them, none is taken. */
  positionals?: Record<string, string>
  options: CommandOptions
}

/** The text of `--help`: usage, what the command does, arguments and options with their defaults. */
export const renderHelp = ({ run, about, positionals = {}, options }: Command): string => {
  const rows = [
    ...Object.entries(positionals),
    ...Object.entries(options).map(([name, option]): [string, string] => [
      `--${name}${option.type === 'string' ? ` <${option.value ?? 'text'}>` : ''}`,
      `${option.about}${describeDefault(option)}`,
    ]),
    ['--help', 'print this text'] as [string, string],
  ]
  const width = Math.max(...rows.map(([name]) => name.length)) + 2
  const usage = [toPrefix(run), ...Object.keys(positionals), '[options]'].join(' ')
  return [usage, '', about, '', ...rows.map(([name, text]) => `  ${name.padEnd(width)}${text}`)].join('\n')
}

/** A command up to its arguments: npm takes those before `--` for its own. */
export const toPrefix = (run: string): string => (run.startsWith('npm') ? `${run} --` : run)

const describeDefault = (option: CommandOption): string => {
  if (option.multiple) return '; may be repeated'
  return typeof option.default === 'string' && option.default !== '' ? ` (default: ${option.default})` : ''
}
