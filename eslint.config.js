// The folders' import direction is a lint error, so that the architecture survives a hurried Friday.
import { existsSync, readdirSync } from 'node:fs'
import js from '@eslint/js'
import { importX } from 'eslint-plugin-import-x'
import hooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'

const features = existsSync('src/features') ? readdirSync('src/features') : []
const only = (target, ...allowed) => ({
  target,
  from: '.',
  except: [target, ...allowed, './node_modules'],
  message: `${target} may import only ${allowed.join(', ') || 'itself'} (README, “The tree”).`,
})

const zones = [
  only('./domain'),
  only('./emulator'),
  only('./functions', './domain'),
  only('./rules', './domain'),
  only('./seed', './domain'),
  only('./src/services', './domain'),
  only('./src/ui', './domain', './src/i18n'),
  only('./src/i18n', './domain'),
  only('./src/store', './domain', './src/services', './src/ui', './src/i18n'),
  ...features.map((feature) =>
    only(
      `./src/features/${feature}`,
      './domain',
      './src/services',
      './src/ui',
      './src/store',
      './src/i18n',
    ),
  ),
  ...['site', 'office', 'trip'].map((screen) =>
    only(
      `./src/${screen}`,
      './domain',
      './src/services',
      './src/ui',
      './src/store',
      './src/i18n',
      './src/features',
    ),
  ),
]

export default tseslint.config(
  {
    ignores: [
      '**/dist',
      '.cache',
      '.kerbside',
      'functions/lib',
      'functions/data',
      'public',
      'coverage',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    plugins: { 'import-x': importX, 'react-hooks': hooks },
    settings: { 'import-x/resolver': { typescript: true, node: true } },
    rules: {
      ...hooks.configs.recommended.rules,
      'no-undef': 'off',
      eqeqeq: ['error', 'always'],
      'no-console': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/ban-ts-comment': [
        'error',
        { 'ts-expect-error': 'allow-with-description' },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'import-x/no-restricted-paths': ['error', { zones }],
      'import-x/no-cycle': 'error',
      'import-x/no-duplicates': 'error',
      'import-x/no-default-export': 'error',
    },
  },
  {
    files: ['src/**', 'domain/**', 'emulator/**', 'rules/**', 'seed/**'],
    ignores: ['src/services/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { group: ['firebase', 'firebase/*'], message: 'Only src/services talks to Firebase.' },
          ],
        },
      ],
    },
  },
  { files: ['emulator/**/*.test.ts', 'test/**'], rules: { 'no-restricted-imports': 'off' } },
  { files: ['*.config.{ts,js}'], rules: { 'import-x/no-default-export': 'off' } },
  {
    files: ['scripts/**', 'test/**', 'emulator/bin/**', 'emulator/bench/**'],
    rules: { 'no-console': 'off' },
  },
)
