import { expect, test } from 'vitest';
import { toPlainPath } from './plainPath.ts';

test.each([
  ['/api/products', '/api/products'],
  ['/api/products?x=/api/../y', '/api/products'],
  ['/%61pi/products', '/api/products'],
  ['/%61%70%69/products', '/api/products'],
  ['/%41PI/products', '/API/products'],
  ['/api%2Fproducts', '/api/products'],
  ['/api%2fproducts', '/api/products'],
  ['//api//products/', '/api/products'],
  ['/./api/./products', '/api/products'],
  ['/%2e/api/%2E%2e/api/products', '/api/products'],
  ['/studio/../api/products', '/api/products'],
  ['/../../api/products', '/api/products'],
  ['/api\\products', '/api/products'],
  ['/%5capi%5Cproducts', '/api/products'],
  ['http://studio.test/api/products?x=1', '/api/products'],
  ['HTTPS://studio.test:3000//api/products', '/api/products'],
  ['/%2561pi/products', '/%61pi/products'],
  ['/%ff/api', '/%ff/api'],
  ['/%61pi/%ff', '/api/%ff'],
  ['/%', '/%'],
  ['/', '/'],
  ['', '/'],
  ['*', '/*'],
])('reads %j as %j', (address, path) => expect(toPlainPath(address)).toBe(path));
