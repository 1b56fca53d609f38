import { type ParseArgsConfig, parseArgs } from 'node:util'

type Parsed<Options extends CommandOptions> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: true; strict: true }>
>

/**
 * Options and positional arguments of a command line. `--help` and `-h` print the description of the command and end
 * the process.
 *
 * @throws an unknown option, a value that is missing, or a positional argument that the command does not take
 */
export const readCommand = <const Options extends CommandOptions>(
  command: Command & { options: Options },
  args: string[] = process.argv.slice(2),
): Parsed<Options> => {
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    console.log(renderHelp(command))
    process.exit(0)
  }
  const config = { args, options: command.options, allowPositionals: true, strict: true } satisfies ParseArgsConfig
  const parsed = parseArgs(config) as unknown as Parsed<Options>
  const extra = parsed.positionals[0]
  if (extra !== undefined && !command.positionals)
    throw new Error(`unexpected argument ${extra}; ${toPrefix(command.run)} --help lists the options`)
  return parsed
}

type CommandOption = {
  type: 'string' | 'boolean'
  multiple?: boolean
  default?: string | boolean
  /** Name of a value, without brackets: `n`, `file`. */
  value?: string
  about: string
}

type CommandOptions = Record<string, CommandOption>

type Command = {
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
const toPrefix = (run: string): string => (run.startsWith('npm') ? `${run} --` : run)

const describeDefault = (option: CommandOption): string => {
  if (option.multiple) return '; may be repeated'
  return typeof option.default === 'string' && option.default !== '' ? ` (default: ${option.default})` : ''
}
