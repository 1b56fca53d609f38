// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Misbehaviour} from "./Misbehaviour.sol";

/// A wallet that accepts every signature (EIP-1271) until anyone sets another act for it.
contract HostileWallet {
    /// acts beyond those of `Misbehaviour`: refusals under conditions that a simulation may miss
    uint8 internal constant REFUSE = 20;
    uint8 internal constant REFUSE_PAID_GAS = 21;
    uint8 internal constant REFUSE_ODD_BLOCKS = 22;
    uint8 internal constant REFUSE_LESS_GAS = 23;
    uint8 internal constant REFUSE_COINBASE = 24;

    uint8 public act;
    /// block and gas thresholds of the acts above, set with the act
    uint256 public threshold;

    function setAct(uint8 act_, uint256 threshold_) external {
        act = act_;
        threshold = threshold_;
    }

    function execute(address target, bytes calldata data) external payable {
        (bool succeeded, ) = target.call{value: msg.value}(data);
        require(succeeded, "call failed");
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        Misbehaviour.perform(act);
        if (act == REFUSE) return 0xffffffff;
        if (act == REFUSE_PAID_GAS && tx.gasprice > 0) return 0xffffffff;
        if (act == REFUSE_ODD_BLOCKS && block.number % 2 == 1) return 0xffffffff;
        if (act == REFUSE_LESS_GAS && gasleft() < threshold) return 0xffffffff;
        if (act == REFUSE_COINBASE && block.coinbase != address(0)) return 0xffffffff;
        return this.isValidSignature.selector;
    }
}
