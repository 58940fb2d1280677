import { useDeferredValue, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DomainError, domainError } from '~/domain/api/errors'
import { compareTexts, mergeTexts, parseTexts, pickOwnTexts } from '~/domain/catalog/languages'
import { findVariableFault } from '~/domain/messages/messageTexts'
import { editLanguage, languageById } from '~/src/features/languages/languageEdits'
import type { LanguageSummary } from '~/src/features/languages/languages'
import { languageTexts } from '~/src/features/languages/languageTexts'
import { useShippedTexts } from '~/src/features/languages/useShippedTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { Button } from '~/src/ui/controls'
import { isSameValue, ConcurrentEditsDialog } from '~/src/ui/forms/concurrentEdits'
import pages from '~/src/office/recordPages/pages.module.css'
import { Panel } from '~/src/office/recordPages/Panel'
import { SkeletonLines } from '~/src/ui/feedback/states'
import { confirmLeave, useUnsavedChangesPrompt } from '~/src/ui/navigation/unsavedChanges'
import { describeVariableFault } from '../messages/variableFault'
import { useOfficeSession } from '../useOfficeSession'
import { TextComparison } from './TextComparison'
import { useSingleRun } from '~/src/ui/useSingleRun'
import css from './languages.module.css'
import type { Language } from '~/domain/catalog/types'

/** Maximum number of conflicting texts that one question shows. */
const MAX_SHOWN_CONFLICTS = 20

type Texts = Readonly<Record<string, string>>

const toJsonText = (pairs: Texts) => JSON.stringify(pairs, null, 2)

const pickTexts = (texts: Texts, keys: readonly string[]): Texts =>
  Object.fromEntries(keys.map((key) => [key, texts[key] ?? '']))

interface EditorProps {
  language: Language
  /** The texts that ship with the product in this language. */
  shipped: Texts
  /** A text for every key: in the default language, or in English. */
  complete: Texts
  onClose: () => void
}

/** Holds and saves the edited JSON, and joins it with changes that others made meanwhile. */
const useJsonEdit = ({ language, shipped, complete, onClose }: EditorProps) => {
  const dispatch = useAppDispatch()
  const { can, notify } = useOfficeSession()
  const current = useMemo(
    () => ({ ...shipped, ...language.keyValuePairs }),
    [shipped, language.keyValuePairs],
  )
  const [opened] = useState(current)
  const [text, setText] = useState(() => toJsonText(opened))
  const [unsaved, setUnsaved] = useState<Record<string, string> | null>(null)
  const [refused, setRefused] = useState<DomainError | null>(null)
  const [fault, setFault] = useState<ReturnType<typeof findVariableFault>>()
  const { busy, run } = useSingleRun({ isLast: true })
  const write = async (all: Texts) => {
    setRefused(null)
    await run(async () => {
      await dispatch(
        editLanguage.quiet({
          language: { id: language.id, keyValuePairs: pickOwnTexts(all, shipped) },
          method: 'Update',
        }),
      ).unwrap()
      notify('saved')
      onClose()
    }).catch((error: unknown) => setRefused(error as DomainError))
  }
  const submit = async () => {
    const pairs = parseTexts(text)
    if (!pairs.ok) return setRefused(pairs.error)
    const wrong = Object.entries(pairs.value).find((entry) => findVariableFault(...entry))
    if (wrong) return setFault(findVariableFault(...wrong))
    if (!can('language_save')) return setRefused(domainError('demo_mode'))
    const joined = mergeTexts(opened, pairs.value, current)
    if (joined.conflicts.length > 0) return setUnsaved(pairs.value)
    await write(joined.texts)
  }
  const addTexts = (keys: readonly string[]) => {
    const pairs = parseTexts(text)
    if (!pairs.ok) return setRefused(pairs.error)
    setText(toJsonText({ ...pickTexts(complete, keys), ...pairs.value }))
  }
  const editOne = (key: string, typed: string) => {
    const pairs = parseTexts(text)
    if (pairs.ok) type(toJsonText({ ...pairs.value, [key]: typed }))
  }
  const type = (typed: string) => {
    setText(typed)
    setRefused(null)
    setFault(undefined)
  }
  return {
    current,
    opened,
    text,
    type,
    addTexts,
    editOne,
    unsaved,
    closeConflicts: () => setUnsaved(null),
    refused,
    fault,
    busy,
    submit,
    write,
  }
}
type JsonEdit = ReturnType<typeof useJsonEdit>

/** Asks which texts to keep of those that another person changed as well. */
const ConflictDialog = ({
  unsaved,
  edit: { opened, current, write, closeConflicts },
}: {
  unsaved: Record<string, string>
  edit: JsonEdit
}) => {
  const { t } = useTranslation()
  const { conflicts, texts } = mergeTexts(opened, unsaved, current)
  return (
    <ConcurrentEditsDialog
      conflicts={conflicts.slice(0, MAX_SHOWN_CONFLICTS).map((key) => ({
        name: key,
        from: opened[key],
        to: current[key],
        mine: unsaved[key],
        isResolved: false,
        described: {
          label: key,
          formatValue: (one) => (typeof one === 'string' ? one : t('empty_value')),
        },
      }))}
      getAuthor={() => undefined}
      onKeep={() => write(texts)}
      onTake={() => write(mergeTexts(opened, current, unsaved).texts)}
      onClose={closeConflicts}
    />
  )
}

/** Says what is wrong with the JSON, or why it was refused. */
const EditProblems = ({ edit: { refused, fault, current, opened } }: { edit: JsonEdit }) => {
  const { t } = useTranslation()
  return (
    <>
      {!isSameValue(current, opened) && (
        <p className={pages.note} role="status">
          {t('texts_changed_elsewhere')}
        </p>
      )}
      {refused && (
        <p className={pages.refused} role="alert">
          {t(refused.key)}
          {refused.params?.key !== undefined && `: ${refused.params.key}`}
        </p>
      )}
      {fault && (
        <p className={pages.refused} role="alert">
          <bdi dir="ltr">{fault.key}</bdi>: {describeVariableFault(fault, t)}
        </p>
      )}
    </>
  )
}

/** Edits the key-value texts of one language as JSON. Only those that differ are stored. */
const JsonEditor = (props: EditorProps) => {
  const { t } = useTranslation()
  const { complete, onClose } = props
  const edit = useJsonEdit(props)
  const { text, opened, current, refused, fault, unsaved } = edit
  const question = useUnsavedChangesPrompt(text !== toJsonText(opened))
  // We compare only after typing pauses: parsing two thousand texts at each keystroke would be
  // slow.
  const rested = useDeferredValue(text)
  const { texts, compared, isValid } = useMemo(() => {
    const pairs = parseTexts(rested)
    const now = pairs.ok ? pairs.value : current
    return { texts: now, compared: compareTexts(now, complete), isValid: pairs.ok }
  }, [rested, current, complete])
  const { missing } = compared
  return (
    <>
      {missing.length > 0 && (
        <div className={css.missing}>
          <p>{t('missing_keys', { count: missing.length })}</p>
          <Button size="small" onClick={() => edit.addTexts(missing)}>
            {t('add_missing_keys')}
          </Button>
        </div>
      )}
      <textarea
        className={css.json}
        aria-label={t('edit_json')}
        aria-invalid={refused?.key === 'json_error' || fault !== undefined || undefined}
        dir="ltr"
        spellCheck={false}
        value={text}
        onChange={({ target }) => edit.type(target.value)}
      />
      <EditProblems edit={edit} />
      <div className={pages.foot}>
        <Button variant="primary" busy={edit.busy} onClick={() => void edit.submit()}>
          {t('submit')}
        </Button>
        <Button onClick={() => confirmLeave(onClose)}>{t('cancel')}</Button>
      </div>
      {unsaved && <ConflictDialog unsaved={unsaved} edit={edit} />}
      <TextComparison
        compared={compared}
        texts={texts}
        fallback={complete}
        onText={isValid ? edit.editOne : undefined}
      />
      {question}
    </>
  )
}

/** Returns a text for every key: in the default language, or in English. Null until loaded. */
const useCompleteTexts = (): Texts | null => {
  const { found, loading } = useLive(languageTexts, null)
  const [fallback] = found
  const english = useShippedTexts('en')
  const ofDefault = useShippedTexts(fallback?.langLocale ?? 'en')
  return useMemo(
    () =>
      loading || !english || !ofDefault
        ? null
        : { ...english, ...ofDefault, ...fallback?.keyValuePairs },
    [loading, english, ofDefault, fallback],
  )
}

/**
 * Shows the text editor; loads the texts of the language and of the default language next to them.
 */
export const JsonPanel = ({
  language: { id, langName: name, langLocale },
  onClose,
}: {
  language: LanguageSummary
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const { opened } = useLive(languageById, id)
  const shipped = useShippedTexts(langLocale)
  const complete = useCompleteTexts()
  const [language] = opened
  return (
    <Panel wide title={t('edit_json_of', { name })} onClose={() => confirmLeave(onClose)}>
      {language && shipped && complete ? (
        <JsonEditor language={language} shipped={shipped} complete={complete} onClose={onClose} />
      ) : (
        <SkeletonLines />
      )}
    </Panel>
  )
}
