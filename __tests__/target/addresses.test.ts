import { describe, expect, test } from 'vitest';
import { candidateAddresses, isLoopback, portOf } from '../../src/target/addresses.ts';

describe('addresses', () => {
  test('both loopbacks are tried, the given one first, the rest of the URL as it was', () => {
    expect(candidateAddresses('http://127.0.0.1:3000/mcp?a=1')).toEqual([
      'http://127.0.0.1:3000/mcp?a=1',
      'http://[::1]:3000/mcp?a=1',
    ]);
    expect(candidateAddresses('http://localhost:3000/mcp')).toEqual([
      'http://localhost:3000/mcp',
      'http://127.0.0.1:3000/mcp',
      'http://[::1]:3000/mcp',
    ]);
    expect(candidateAddresses('http://[::1]:3000/')).toEqual([
      'http://[::1]:3000/',
      'http://127.0.0.1:3000/',
    ]);
  });

  test('other hosts have no alternative', () => {
    expect(candidateAddresses('https://mcp.example.com/mcp')).toEqual(['https://mcp.example.com/mcp']);
    expect(isLoopback('http://127.0.0.1.example.com/')).toBe(false);
    expect(isLoopback('no url')).toBe(false);
  });

  test('a URL without a port has its scheme’s', () => {
    expect([portOf('http://a/'), portOf('https://a/'), portOf('http://a:81/')]).toEqual([80, 443, 81]);
  });
});
