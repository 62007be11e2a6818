// The order of folders, without their tests: a test may use any part of the program to set its scene.
export default {
  forbidden: [
    {
      name: 'no-folder-cycles',
      severity: 'error',
      comment: 'Two folders that import each other are one: move what both need down, or hand it in from above.',
      scope: 'folder',
      from: { path: '^(apps|packages)/[^/]+/src/' },
      to: { circular: true },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(/dist/|/\\.build/|node_modules/|\\.test\\.tsx?$|/test/)' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
