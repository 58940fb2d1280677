// Makes the folders' import direction a lint error, so that the architecture survives a hurried
// Friday.
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
  only('./functions', './domain', './emulator'),
  only('./rules', './domain'),
  only('./seed', './domain'),
  only('./src/services', './domain', './emulator', './database.rules.json'),
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
  only(
    './src/widgets',
    './domain',
    './src/services',
    './src/ui',
    './src/store',
    './src/i18n',
    './src/features',
  ),
  ...['site', 'office', 'driver'].map((screen) =>
    only(
      `./src/${screen}`,
      './domain',
      './src/services',
      './src/ui',
      './src/store',
      './src/i18n',
      './src/features',
      './src/widgets',
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
    // These rules read types, which only files of tsconfig.json have.
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeCheckedOnly],
    languageOptions: {
      parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // Ports have asynchronous methods, and some implementations answer at once.
      '@typescript-eslint/require-await': 'off',
      // Ports and services are closures; their methods do not use `this`.
      '@typescript-eslint/unbound-method': 'off',
      // Thunks throw domain errors as plain records, which Redux can store.
      '@typescript-eslint/only-throw-error': [
        'error',
        {
          allow: [
            { from: 'file', name: 'DomainError' },
            // Has no stack trace, because it is thrown too often.
            { from: 'file', name: 'RuleError' },
          ],
        },
      ],
    },
  },
  {
    // Matchers such as expect.any and the bodies of responses have the type any.
    files: ['**/*.test.{ts,tsx}', 'test/**'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
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
  {
    files: ['functions/**'],
    ignores: ['functions/src/testing/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['~/emulator/*', '~/emulator/**'],
              message: 'The functions use the Realtime Database stand-in only in tests.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['src/services/**'],
    ignores: ['src/services/memory/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['~/emulator/*', '~/emulator/**', '~/database.rules.json*'],
              message: 'The web uses the Realtime Database stand-in only in tests.',
            },
          ],
        },
      ],
    },
  },
  { files: ['emulator/**/*.test.ts', 'test/**'], rules: { 'no-restricted-imports': 'off' } },
  { files: ['*.config.{ts,js}'], rules: { 'import-x/no-default-export': 'off' } },
  {
    files: ['scripts/**', 'tools/**', 'test/**', 'emulator/bin/**', 'emulator/bench/**'],
    rules: { 'no-console': 'off' },
  },
)
