// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Emits any given log, as an untrusted contract may.
contract LogEmitter {
    function emitLog(bytes32 signature, bytes32 indexed_, bytes calldata data) external {
        bytes memory copy = data;
        assembly ("memory-safe") {
            log2(add(copy, 32), mload(copy), signature, indexed_)
        }
    }
}
